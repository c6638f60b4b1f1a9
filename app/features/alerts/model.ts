export const alertLevels = ["notice", "urgent"] as const;
export type AlertLevel = (typeof alertLevels)[number];

export const alertsPath = "/alerts";
export const alertFeedPath = "/feeds/alerts";

/** A longer text is not read at a glance. */
export const maxAlertLength = 280;

export type Alert = {
  id: string;
  source: "editor" | "file" | "official";
  text: string;
  level: AlertLevel;
  /** A path of this site, or a URL. */
  link: string | null;
  startsAt: Date;
  /** When it ended, or will end by itself. */
  endsAt: Date;
  updatedAt: Date;
  /** False if only the file has it, because the database did not respond. */
  isStored: boolean;
  /** Whether it came from an editor, or from a file that no longer has it. */
  canDelete: boolean;
};

type Times = Pick<Alert, "startsAt" | "endsAt">;

/** An alert ends with the second in which it ends: at 18:00:00 it is over. */
export const isRunning = ({ startsAt, endsAt }: Times, now: Date): boolean =>
  startsAt <= now && now < endsAt;

export const isOver = ({ endsAt }: Times, now: Date): boolean => endsAt <= now;

export function findNextChange(alerts: readonly Times[], now: Date): Date | null {
  const later = alerts
    .filter(({ startsAt, endsAt }) => startsAt < endsAt)
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((instant) => instant > now);
  return later.length === 0 ? null : new Date(Math.min(...later.map((each) => each.getTime())));
}

/** Urgent alerts first, then the newest. */
export const listRunning = <T extends Pick<Alert, "level"> & Times>(
  alerts: readonly T[],
  now: Date,
): T[] =>
  alerts
    .filter((alert) => isRunning(alert, now))
    .toSorted(
      (a, b) =>
        Number(b.level === "urgent") - Number(a.level === "urgent") ||
        b.startsAt.getTime() - a.startsAt.getTime(),
    );
