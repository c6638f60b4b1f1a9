import { useEffect, useState } from "react";

const minuteMs = 60_000;
const minutesPerHour = 60;
const hoursPerDay = 24;
const daysPerWeek = 7;

/** Returns "12 min ago", or null for a time that is not within the last week. */
export function describeAge(instant: Date, now: Date): string | null {
  const minutes = Math.floor((now.getTime() - instant.getTime()) / minuteMs);
  const hours = Math.floor(minutes / minutesPerHour);
  const days = Math.floor(hours / hoursPerDay);
  if (minutes < 0 || days >= daysPerWeek) return null;
  if (minutes === 0) return "just now";
  if (hours === 0) return `${minutes} min ago`;
  if (days === 0) return `${hours} hr ago`;
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

type Props = { time: { iso: string; shown: string } };

/**
 * A time that says how long ago it was. The page may be in a cache for hours, so only the browser
 * knows. Until then, and without JavaScript, the time itself is shown.
 */
export function TimeAgo({ time: { iso, shown } }: Props) {
  const [age, setAge] = useState<string | null>(null);
  useEffect(() => {
    if (!iso.includes("T")) return;
    const update = () => setAge(describeAge(new Date(iso), new Date()));
    update();
    const timer = setInterval(update, minuteMs);
    return () => clearInterval(timer);
  }, [iso]);
  return (
    <time dateTime={iso} title={age === null ? undefined : shown}>
      {age ?? shown}
    </time>
  );
}
