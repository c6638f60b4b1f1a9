import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Look, lookFile } from "../../../app/features/brand/feature.server.ts";
import type { CityPlan } from "./plan.ts";

/** The files of a new city, with placeholders such as {{city}}. */
const folder = resolve("templates/city");

/** Files that only a city with the part has. */
const partFiles: Record<string, string> = { "blog.yaml": "blog", "events.yaml": "events" };

type TextFile = { path: string; text: string };

/** Lists the files of a new city, without those that have to be drawn. */
export async function renderTexts(plan: CityPlan, values: Values): Promise<TextFile[]> {
  const names = (await readdir(folder)).filter((name) => name.includes("."));
  const isOn = (part: string) => !plan.without.some((each) => each === part);
  const conditions = (name: string) => (name === "feeds" ? plan.feeds.length > 0 : isOn(name));
  return Promise.all(
    names
      .filter((name) => isOn(partFiles[name] ?? ""))
      .map(async (path) => ({ path, text: render(await readTemplate(path), values, conditions) })),
  );
}

export const readTemplate = (path: string) => readFile(join(folder, path), "utf8");
/** Reads the colors and fonts of a new city, in which its drawings are made. */
export async function readTemplateLook(): Promise<Look> {
  const parsed = lookFile.parse(await readTemplate("brand.yaml"));
  if (!parsed.ok) throw new Error("The brand.yaml of the templates has a problem.");
  return parsed.value;
}
export const listDrawings = () => readdir(join(folder, "art"));

type Values = Record<string, string | number>;

/** How far the map of the contact page reaches from the middle of the city, in degrees. */
const mapReach = { latitude: 0.035, longitude: 0.065 };

export function listValues(plan: CityPlan, network: string, today: string): Values {
  const { id, name, shortName, city, state, timeZone, domain, without } = plan;
  const { latitude, longitude } = plan;
  const degrees = (value: number) => Number(value.toFixed(4));
  return {
    id,
    name,
    shortName,
    city,
    timeZone,
    domain,
    latitude,
    longitude,
    network,
    today,
    state: state.name,
    stateCode: state.code,
    region: `US-${state.code}`,
    law: state.code === "DC" ? "the District of Columbia" : `the State of ${state.name}`,
    origin: `https://${domain}`,
    year: today.slice(0, 4),
    without: without.join(", "),
    west: degrees(Math.max(-180, longitude - mapReach.longitude)),
    east: degrees(Math.min(180, longitude + mapReach.longitude)),
    south: degrees(Math.max(-90, latitude - mapReach.latitude)),
    north: degrees(Math.min(90, latitude + mapReach.latitude)),
    feeds: plan.feeds
      .map(
        (feed) =>
          `          - name: ${JSON.stringify(feed.name)}\n            url: ${feed.url}\n            front: true`,
      )
      .join("\n"),
  };
}

/**
 * Fills in the placeholders. The lines between {{if blog}} and {{end}} stay only in a city that has
 * a blog.
 */
export function render(
  template: string,
  values: Values,
  isOn: (condition: string) => boolean = () => true,
): string {
  const lines: string[] = [];
  let isShown = true;
  for (const line of template.split("\n")) {
    const condition = /^\{\{if (\w+)\}\}$/.exec(line)?.[1];
    if (condition !== undefined) isShown = isOn(condition);
    else if (line === "{{end}}") isShown = true;
    else if (isShown) lines.push(line);
  }
  return lines.join("\n").replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`A template of a city has no value for ${key}.`);
    return String(value);
  });
}
