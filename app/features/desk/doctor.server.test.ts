import { expect, it } from "vitest";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import type { SiteContent } from "../../site-files/site-file.server.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { deskFindings } from "./doctor.server.ts";
import { deskFile } from "./files.server.ts";

const editors = [{ name: "Ana", email: "ana@example.com" }];
const smtp = new URL("smtp://mail.example.com");

function find(origin: string, smtpUrl?: URL, desk: object | null = { editors, mail: "each" }) {
  const values = new Map<unknown, unknown>([
    [siteSettingsFile, { origin }],
    [deskFile, desk],
  ]);
  const site: SiteContent = {
    read: (source) => values.get(source) as never,
    ...wholeCity,
    readAll: () => [],
  };
  return deskFindings(site, smtpUrl)?.map(({ state, message }) => `${state}: ${message}`) ?? null;
}

it("doctor says why editors cannot sign in, or get no links", () => {
  expect(find("https://city.example", smtp)).toEqual(["good: 1 editor can sign in"]);
  expect(find("http://localhost:3000", smtp)).toEqual(["good: 1 editor can sign in"]);
  expect(find("http://city.example")).toEqual([
    "warning: Nobody can sign in at the desk, because http://city.example is not encrypted.",
    "warning: Editors get no links to sign in, because no mail server is configured.",
  ]);
  expect(find("http://city.example", undefined, null)).toBeNull();
});
