/** Reads a time such as "6 PM", "5:30 p.m." or "17:30", and returns it as HH:MM. Null for others. */
export function readTimeOfDay(written: string): string | null {
  const [, hours, minutes, half] =
    /^(\d{1,2})(?::([0-5]\d))? ?(?:([ap])\.?m\.?)?$/i.exec(written.trim()) ?? [];
  const hour = Number(hours);
  if (half === undefined && minutes === undefined) return null;
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return null;
  const hour24 = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hour24).padStart(2, "0")}:${minutes ?? "00"}`;
}
