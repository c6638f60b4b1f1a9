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
  /** The ids of the current message and of all messages that it replaced. */
  messageIds: string[];
  decision: "approved" | "hidden" | null;
  /**
   * Why the alert no longer applies before its end: it was cancelled, another alert replaced it,
   * the Weather Service no longer lists it, or the Weather Service cannot be reached.
   */
  endedBy: "cancel" | "replaced" | "missing" | "stale" | null;
};

type Incoming = {
  messages: OfficialMessage[];
  /** False if a part could not be read, so that an alert that is missing may be in that part. */
  isComplete: boolean;
};

const maxMessageIds = 200;

/**
 * Applies a list of all current messages to the alerts that we know, and returns the alerts that
 * have changed or are new. Messages may arrive twice, in any order, or without earlier messages.
 */
export function planChanges(
  known: readonly OfficialAlert[],
  { messages, isComplete }: Incoming,
  now: Date,
): OfficialAlert[] {
  const alerts = new Map(known.map((alert) => [alert.key, alert]));
  const listed = new Set(messages.map(({ id }) => id));
  const inOrder = messages.toSorted((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
  const keysById = new Map<string, Set<string>>();
  const index = ({ key, messageIds }: OfficialAlert) => {
    for (const id of messageIds) keysById.set(id, (keysById.get(id) ?? new Set()).add(key));
  };
  for (const alert of known) index(alert);
  for (const message of inOrder) {
    const ids = [...message.references, message.id];
    const keys = new Set(ids.flatMap((id) => [...(keysById.get(id) ?? [])]));
    const replaced = [...keys].flatMap((key) => alerts.get(key) ?? []);
    for (const alert of apply(replaced, message, now)) {
      alerts.set(alert.key, alert);
      index(alert);
    }
  }
  if (isComplete)
    for (const alert of alerts.values())
      if (alert.endedBy === null && alert.endsAt > now && !listed.has(alert.messageId))
        alerts.set(alert.key, { ...alert, endedBy: "missing" });
  const before = new Map(known.map((alert) => [alert.key, alert]));
  return [...alerts.values()].filter((alert) => before.get(alert.key) !== alert);
}

/** Returns the alerts that a message changes or adds. It belongs to `alerts`, the oldest first. */
function apply(
  [alert, ...merged]: OfficialAlert[],
  { type, references, ...message }: OfficialMessage,
  now: Date,
): OfficialAlert[] {
  const { id, ...content } = message;
  const endedBy = type === "Cancel" ? "cancel" : null;
  if (!alert) {
    // A cancellation is stored, because the alert that it cancels may arrive later.
    if (content.endsAt <= now) return [];
    const messageIds = [...references, id].slice(-maxMessageIds);
    const key = references[0] ?? id;
    return [{ ...content, key, messageId: id, messageIds, decision: null, endedBy }];
  }
  if (alert.messageId === id) {
    // It is listed again, for example after the Weather Service could not be asked for a while.
    const isBack = alert.endedBy === "missing" || alert.endedBy === "stale";
    return isBack ? [{ ...alert, endedBy: null }] : [];
  }
  if (alert.messageIds.includes(id)) return [];
  const messageIds = [...new Set([...alert.messageIds, ...references, id])].slice(-maxMessageIds);
  // An older message that arrives late.
  if (content.sentAt < alert.sentAt) return [{ ...alert, messageIds }];
  const isWorse = severities.indexOf(content.severity) < severities.indexOf(alert.severity);
  return [
    {
      ...content,
      key: alert.key,
      messageId: id,
      messageIds,
      // An editor has not decided about an alert that became worse.
      decision: isWorse ? null : alert.decision,
      endedBy,
    },
    ...merged.map((other) => ({ ...other, endedBy: "replaced" as const })),
  ];
}

/** Which severities readers see, and which an editor decides about: see alerts.yaml. */
export type Choice = { show: readonly Severity[]; ask: readonly Severity[] };
type Decided = Pick<OfficialAlert, "severity" | "decision" | "endedBy" | "endsAt">;

export const applies = ({ endedBy, endsAt }: Decided, now: Date): boolean =>
  endedBy === null && endsAt > now;

/** Whether readers see the alert: by its severity, unless an editor decided. */
export const isShown = (alert: Decided, { show }: Choice, now: Date): boolean =>
  applies(alert, now) &&
  (alert.decision === null ? show.includes(alert.severity) : alert.decision === "approved");

/** Whether an editor hid the alert, which readers would see otherwise. */
export const isHidden = (alert: Decided, now: Date): boolean =>
  applies(alert, now) && alert.decision === "hidden";

export const isWaiting = (alert: Decided, { ask }: Choice, now: Date): boolean =>
  applies(alert, now) && alert.decision === null && ask.includes(alert.severity);
