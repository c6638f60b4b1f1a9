/** Returns all strings within a value, at any depth. */
export function findStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(findStrings);
  return [];
}
