import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import type { City } from "../../platform/city.ts";
import type { Feature } from "../../platform/feature.ts";
import type { SiteFile } from "../../site-files/site-file.server.ts";
import { contact } from "../contact/feature.server.ts";
import { events } from "../events/feature.server.ts";
import { feeds } from "../feeds/feature.server.ts";
import { partners } from "../partners/feature.server.ts";

type Edit = (source: string) => string;

/** Checks the shipped city with one of its files edited. */
async function check({ checks = [] }: Feature, edited: string, edit: Edit) {
  const city: City = {
    siteFolder: "",
    origin: undefined,
    read<T>(file: SiteFile<T>) {
      const source = readFileSync(`sites/baltimore/${file.path}`, "utf8");
      const parsed = file.parse(file.path === edited ? edit(source) : source);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      return parsed.value;
    },
    ...wholeCity,
    readAll: () => [],
    names: () => [],
    values: new Map(),
    services: async () => null,
  };
  const problems = await Promise.all(checks.map((each) => each(city)));
  return problems.flat().map(({ field, message }) => `${field} ${message}`);
}

const showExternal =
  (key: string, more = "") =>
  (source: string) =>
    `outside: { service: { key: ${key}, name: A }, url: "https://a.example/x"${more} }\n${source}`;

it.each<[string, Feature, string, Edit, string]>([
  [
    "a document in a cloud drive",
    partners,
    "partners.yaml",
    (source) => source.replace('id: "2"', 'id: "2"\n      drive: 1AbCdEfGhIjKlMn'),
    "drive needs a service in embeds.yaml: add https://drive.google.com there",
  ],
  [
    "a form of an unknown service",
    contact,
    "contact-page.yaml",
    showExternal("yuotube"),
    "outside.service.key is not a service in embeds.yaml. Did you mean `youtube`?",
  ],
  [
    "a form on an unlisted host",
    contact,
    "contact-page.yaml",
    showExternal("youtube"),
    "outside.url needs a service in embeds.yaml: add https://a.example there",
  ],
  [
    "an events wall on an unlisted host",
    events,
    "events.yaml",
    showExternal("youtube", ", poster: { file: hero.svg }"),
    "outside.url needs a service in embeds.yaml: add https://a.example there",
  ],
  [
    "a widget on an unlisted host",
    feeds,
    "sections.yaml",
    (source) => source.replace(/^ {6}world:\n/m, "$&        feedUrl: https://a.example/feed\n"),
    "world.world.feedUrl needs a service in embeds.yaml: add https://a.example there",
  ],
])("validate names %s that embeds.yaml does not list", async (_, feature, file, edit, problem) => {
  expect(await check(feature, file, (source) => source)).toEqual([]);
  expect(await check(feature, file, edit)).toEqual([problem]);
});
