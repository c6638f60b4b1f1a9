/** How severe an official alert is, the worst first. */
export const severities = ["Extreme", "Severe", "Moderate", "Minor", "Unknown"] as const;
export type Severity = (typeof severities)[number];

/** A message of the Weather Service. All texts are as it sent them. */
export type OfficialMessage = {
  id: string;
  type: "Alert" | "Update" | "Cancel";
  /** The ids of the messages that this one replaces, the oldest first. */
  references: string[];
  severity: Severity;
  event: string;
  headline: string;
  description: string;
  instruction: string;
  area: string;
  sender: string;
  sentAt: Date;
  endsAt: Date;
};

/** An official alert: a first message and everything that replaced it. */
export type OfficialAlert = Omit<OfficialMessage, "id" | "type" | "references"> & {
  /** The id of the first message that we know of. */
  key: string;
  messageId: string;
  decision: "approved" | "hidden" | null;
  /** False if the Weather Service no longer lists the alert, or cannot be reached. */
  isListed: boolean;
};

type Incoming = {
  messages: OfficialMessage[];
  /** False if a part could not be read, so that an alert that is missing may be in that part. */
  isComplete: boolean;
};

/**
 * Applies a list of all current messages to the alerts that we know, and returns the alerts that
 * have changed or are new. An alert that was cancelled, or that another one replaced, is no longer
 * in the list.
 */
export function planChanges(
  known: readonly OfficialAlert[],
  { messages, isComplete }: Incoming,
  now: Date,
): OfficialAlert[] {
  const replaced = new Set(messages.flatMap(({ references }) => references));
  const current = messages
    .filter(({ id, type }) => type !== "Cancel" && !replaced.has(id))
    .sort((one, other) => one.sentAt.getTime() - other.sentAt.getTime());
  const listed = new Map<string, OfficialAlert>();
  for (const { type: _type, references, id, ...content } of current) {
    const ids = [...references, id];
    const alert = known.find(({ key, messageId }) => ids.includes(messageId) || ids.includes(key));
    if (!alert && content.endsAt <= now) continue;
    const key = alert?.key ?? references[0] ?? id;
    const decision = alert ? keepDecision(alert, content.severity) : null;
    listed.set(key, { ...content, key, messageId: id, decision, isListed: true });
  }
  const isChanged = ({ key, messageId }: OfficialAlert) => {
    const before = known.find((alert) => alert.key === key);
    return before?.messageId !== messageId || !before.isListed;
  };
  const missing = known.filter(
    ({ key, isListed, endsAt }) => isComplete && isListed && endsAt > now && !listed.has(key),
  );
  return [
    ...listed.values().filter(isChanged),
    ...missing.map((alert) => ({ ...alert, isListed: false })),
  ];
}

/** An editor has not decided about an alert that became worse. */
const keepDecision = ({ decision, severity }: OfficialAlert, next: Severity) =>
  severities.indexOf(next) < severities.indexOf(severity) ? null : decision;

/** Which severities readers see, and which an editor decides about: see alerts.yaml. */
export type Choice = { show: readonly Severity[]; ask: readonly Severity[] };
type Decided = Pick<OfficialAlert, "severity" | "decision" | "isListed" | "endsAt">;

export const applies = ({ isListed, endsAt }: Decided, now: Date): boolean =>
  isListed && endsAt > now;

/** Whether readers see the alert: by its severity, unless an editor decided. */
export const isShown = (alert: Decided, { show }: Choice, now: Date): boolean =>
  applies(alert, now) &&
  (alert.decision === null ? show.includes(alert.severity) : alert.decision === "approved");

/** Whether an editor hid the alert, which readers would see otherwise. */
export const isHidden = (alert: Decided, now: Date): boolean =>
  applies(alert, now) && alert.decision === "hidden";

export const isWaiting = (alert: Decided, { ask }: Choice, now: Date): boolean =>
  applies(alert, now) && alert.decision === null && ask.includes(alert.severity);
