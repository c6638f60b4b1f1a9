import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import type { City } from "../../platform/city.ts";
import type { SiteFile } from "../../site-files/site-file.server.ts";
import { contact } from "./feature.server.ts";
import { contactPageFile } from "./files.server.ts";

it.each([
  ["value: tip", []],
  ["value: news-tip", [{ field: "form.categories", isNote: true }]],
])("validate says that tips are not protected, unless a category has %j", async (value, notes) => {
  const source = await readFile(`sites/baltimore/${contactPageFile.path}`, "utf8");
  const city: City = {
    siteFolder: "",
    origin: undefined,
    read<T>(file: SiteFile<T>) {
      const parsed = file.parse(source.replace("value: tip", value));
      return parsed.ok ? parsed.value : undefined;
    },
    ...wholeCity,
    readAll: () => [],
    names: () => [],
    values: new Map(),
    services: async () => null,
  };
  const found = await Promise.all((contact.checks ?? []).map((check) => check(city)));
  expect(found.flat()).toMatchObject(notes);
});
