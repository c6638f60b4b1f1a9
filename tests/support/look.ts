import { readFileSync } from "node:fs";
import { type Look, lookFile } from "../../app/features/brand/feature.server.ts";

/** The colors and fonts of Baltimore. */
export const testLook: Look = read();

function read(): Look {
  const parsed = lookFile.parse(readFileSync("sites/baltimore/brand.yaml", "utf8"));
  if (!parsed.ok) throw new Error("brand.yaml has a problem.");
  return parsed.value;
}
