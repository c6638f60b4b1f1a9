import { z } from "zod";
import { type OfficialMessage, severities } from "./plan.ts";

export type AlertList = {
  /** When the Weather Service made the list. */
  updatedAt: string | null;
  messages: StoredMessage[];
  isComplete: boolean;
};

/** A message with dates as text, as the database stores it. */
export type StoredMessage = Omit<OfficialMessage, "sentAt" | "endsAt"> & {
  sentAt: string;
  endsAt: string;
};

/** There are never as many messages for one city. */
const maxMessages = 200;
const maxReferences = 100;
/** No alert runs for as many days. */
const maxDays = 100;

/**
 * An official text is shown as it was sent. So a text that is too long, or that the database cannot
 * store, is refused and not changed.
 */
const storableText = z.string().refine((text) => !text.includes("\0"));
const shortText = storableText.max(500);
const longText = storableText.max(20_000);
const id = storableText.min(1).max(300);
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .refine((iso) => /^20\d\d-/.test(iso));

const dayMs = 24 * 60 * 60_000;

const list = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(z.object({ properties: z.unknown() })).max(maxMessages),
  updated: instant.nullish(),
});

const message = z
  .object({
    id,
    status: shortText,
    messageType: shortText,
    references: z.array(z.object({ identifier: id, sent: instant })).max(maxReferences),
    severity: z.enum(severities),
    event: shortText.min(1),
    senderName: shortText.min(1),
    areaDesc: longText,
    headline: shortText.nullish(),
    description: longText.nullish(),
    instruction: longText.nullish(),
    sent: instant,
    expires: instant,
    ends: instant.nullish(),
  })
  .transform((read) => ({
    id: read.id,
    status: read.status,
    type: read.messageType,
    references: read.references
      .toSorted((one, other) => one.sent.localeCompare(other.sent))
      .map(({ identifier }) => identifier),
    severity: read.severity,
    event: read.event,
    headline: read.headline ?? `${read.event} by ${read.senderName}`,
    description: read.description ?? "",
    instruction: read.instruction ?? "",
    area: read.areaDesc,
    sender: read.senderName,
    sentAt: read.sent,
    // `expires` is the end of the message, which is updated before. `ends` is the end of the event.
    endsAt: read.ends ?? read.expires,
  }))
  .refine(({ sentAt, endsAt }) => Date.parse(endsAt) - Date.parse(sentAt) < maxDays * dayMs);

const types = ["Alert", "Update", "Cancel"] as const;

/** Reads the current alerts of the Weather Service. Null if the document is something else. */
export function readAlertList(body: Uint8Array): AlertList | null {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
  const read = list.safeParse(json);
  if (!read.success) return null;
  const { features, updated } = read.data;
  const parsed = features.map(({ properties }) => message.safeParse(properties));
  const messages = parsed.flatMap(({ data }) => {
    // Tests and exercises are not for readers.
    if (data?.status !== "Actual") return [];
    const type = types.find((each) => each === data.type);
    const { status: _status, ...rest } = data;
    return type ? [{ ...rest, type }] : [];
  });
  const isComplete = parsed.every(({ success }) => success);
  return { updatedAt: updated ?? null, messages, isComplete };
}
