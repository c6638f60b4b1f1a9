/** Formats an instant in the city's time zone, with its name if the reader is in another one. */
export function formatInstant(instant: number, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-US", { timeZone, ...options }).format(instant);
  const clock = { hour: "numeric", minute: "2-digit" } as const;
  const ownTime = new Intl.DateTimeFormat("en-US", clock).format(instant);
  const isOwnZone = format(clock) === ownTime;
  const time = format(isOwnZone ? clock : { ...clock, timeZoneName: "short" });
  return `${time}, ${format({ dateStyle: "long" })}`;
}
