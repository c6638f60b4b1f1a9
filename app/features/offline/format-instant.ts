/**
 * Formats an instant in the time zone of the city, like all other times on the page. A reader whose
 * clock shows another time also gets the name of the zone.
 */
export function formatInstant(instant: number, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(instant);
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  const ownTime = new Intl.DateTimeFormat("en-US", clock).format(instant);
  const isOwnZone = format(clock) === ownTime;
  const time = format(isOwnZone ? clock : { ...clock, timeZoneName: "short" });
  return `${time}, ${format({ dateStyle: "long" })}`;
}
