export const alertLevels = ["notice", "urgent"] as const;
export type AlertLevel = (typeof alertLevels)[number];

export const alertsPath = "/alerts";
export const alertFeedPath = "/feeds/alerts";

/** A longer text is not read at a glance. */
export const maxAlertLength = 280;

export type Alert = {
  id: string;
  /** An editor, the file notice.yaml, or an authority. */
  issuer: "editor" | "file" | "official";
  text: string;
  level: AlertLevel;
  /** A path of this site, or a URL. */
  link: string | null;
  startsAt: Date;
  /** When it ended, or will end by itself. */
  endsAt: Date;
  updatedAt: Date;
  /** False while only the file has it. */
  isStored: boolean;
  /** Whether it came from an editor, or from a file that no longer has it. */
  canDelete: boolean;
};

type Times = Pick<Alert, "startsAt" | "endsAt">;

/** An alert ends with the second in which it ends: at 18:00:00 it is over. */
export const isRunning = ({ endsAt }: Pick<Alert, "endsAt">, now: Date): boolean => now < endsAt;

export function findNextEnd(alerts: readonly Pick<Alert, "endsAt">[], now: Date): Date | null {
  const ends = alerts.filter((alert) => isRunning(alert, now)).map(({ endsAt }) => endsAt);
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((each) => each.getTime())));
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
