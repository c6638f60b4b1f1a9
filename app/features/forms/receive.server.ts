import { createHash, createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { ensureSecret } from "../../../db/secrets.ts";
import { readField } from "../../lib/form.ts";
import { type Limit, listCounted, type Quota, toVisitor } from "../../lib/http/limits.server.ts";
import { isSameSecret } from "../../lib/is-same-secret.server.ts";
import { errorFields } from "../../lib/log.ts";
import { stripControlCharacters, toVisibleLine } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { hashForDay, increaseHourCount, reserveSlot } from "./hour-counts.server.ts";
import { maxEmailLength, type Refusal, spamTrapField, tokenField } from "./model.ts";

/**
 * Limits how many forms of a kind we accept per hour. The limit for all visitors together counts
 * the forms that we store, so that a flood from many IP addresses cannot fill the disk.
 */
export const formsPerHour = (what: string, perHour: Required<Quota>, also: Limit["also"] = {}) => ({
  what,
  perHour,
  also,
  messages: {
    visitor: "You have sent this form many times this hour. Please try again later, or email us.",
    all: "We are getting more than we can read right now. Please try again in an hour, or email us.",
  },
});

type FormRule<S extends z.ZodObject> = {
  name: string;
  schema: S;
  limit: Limit & { perHour: Quota };
  /** False for a form on a cached page, which is the same for everybody and so has no token. */
  hasToken: boolean;
};

// biome-ignore lint/suspicious/noConfusingVoidType: most `store` functions return nothing
type StoreResult = FieldErrors | "repeated" | void;

/** Error messages by field name. */
export type FieldErrors = Record<string, string>;

export type FormServices = Pick<Services, "db" | "clock" | "log"> & { ipAddress: string };

/** What the caller found before the form was validated. */
type FoundEarlier = {
  /** Errors by field, such as a file that is too large. */
  knownErrors?: FieldErrors;
  /** Some fields were not received, so only the known errors are reported. */
  isIncomplete?: boolean;
};

const secretName = "forms";
const everybody = "everybody";

export const createToken = async ({ db, clock }: Pick<Services, "db" | "clock">): Promise<string> =>
  issueToken(await ensureSecret(db, secretName), clock());

/**
 * Refuses, in this order: a form of a bot, errors of the fields and files, a token that is too new,
 * too old or not ours, more forms than the visitor may send, and more than all visitors may send.
 * Then calls `store` with the values, a key that is the same if the same form is sent twice, and a
 * hash of the visitor. `store` can return errors that only it can find, or "repeated" if
 * it has the form already.
 */
export async function receiveForm<S extends z.ZodObject>(
  rule: FormRule<S>,
  form: FormData,
  services: FormServices,
  store: (values: z.output<S>, key: string, visitorHash: string) => Promise<StoreResult>,
  { knownErrors = {}, isIncomplete = false }: FoundEarlier = {},
): Promise<{ kind: "stored"; values: z.output<S> } | Refusal> {
  const typed = Object.fromEntries(
    Object.keys(rule.schema.shape).map((name) => [name, readField(form, name)]),
  );
  // Without JavaScript, the page is made again with another token. Only with the one that was sent
  // is the form old enough, and known if it is sent twice.
  const token = readField(form, tokenField);
  function refuse(status: Refusal["status"], summary: string, errors: FieldErrors = {}): Refusal {
    return { kind: "refused", status, summary, errors, typed, token };
  }
  if (readField(form, spamTrapField) !== "")
    return refuse(
      422,
      "A hidden field was filled in, probably by a program. Please fill in the form by hand.",
    );

  const order = Object.keys(typed);
  const refuseFields = (errors: FieldErrors) => {
    const sorted = Object.entries(errors).toSorted(
      ([one], [other]) => order.indexOf(one) - order.indexOf(other),
    );
    const count = sorted.length;
    const summary =
      count === 1 ? "One field needs another look." : `${count} fields need another look.`;
    return refuse(422, summary, Object.fromEntries(sorted));
  };

  if (isIncomplete) return refuseFields(knownErrors);
  const parsed = rule.schema.safeParse(typed);
  if (!parsed.success)
    return refuseFields({ ...firstErrors(rule.schema, parsed.error), ...knownErrors });
  if (Object.keys(knownErrors).length > 0) return refuseFields(knownErrors);
  try {
    let key: string = crypto.randomUUID();
    if (rule.hasToken) {
      const secret = await ensureSecret(services.db, secretName);
      const now = services.clock();
      const state = readToken(secret, token, now);
      if (state.kind === "early") return refuse(422, tokenErrors.early);
      if (state.kind !== "valid") {
        // The new token is old enough to be accepted at once.
        const renewed = issueToken(secret, new Date(now.getTime() - minAgeMs));
        return { ...refuse(422, tokenErrors[state.kind]), token: renewed };
      }
      key = submissionKey(state.nonce, form, parsed.data);
    }
    const { db, clock, ipAddress } = services;
    const { perHour, messages } = rule.limit;
    for (const { whom, factor } of listCounted(ipAddress)) {
      const count = await increaseHourCount(db, clock, { what: rule.name, whom });
      if (count > perHour.visitor * factor) return refuse(429, messages.visitor);
    }
    const allVisitors = { what: rule.name, whom: everybody };
    const visitorHash = await hashForDay(db, clock(), toVisitor(ipAddress).visitor);
    const returnSlot = await reserveSlot(db, clock, allVisitors, perHour.all);
    if (!returnSlot) return refuse(429, messages.all ?? messages.visitor);
    let result: StoreResult;
    let isNew = false;
    try {
      result = await store(parsed.data, key, visitorHash);
      isNew = !result;
    } finally {
      // Only new forms count towards the total: forms that are refused for one visitor, or sent
      // again, must not close the form for everybody else.
      if (!isNew) await returnSlot();
    }
    if (result && result !== "repeated") return refuseFields(result);
  } catch (error) {
    services.log.error("form.not_stored", { form: rule.name, ...errorFields(error) });
    return refuse(
      503,
      "We could not save this. Nothing you typed is lost. Please try again in a moment.",
    );
  }
  return { kind: "stored", values: parsed.data };
}

/**
 * Returns the same key if a form is sent twice, but another key if the reader changed the form in
 * between: the server may have stored the first one, and the changes must be stored too.
 */
function submissionKey(nonce: string, form: FormData, values: object): string {
  const files = [...form].flatMap(([field, value]) =>
    typeof value === "string" ? [] : [[field, value.name, value.size]],
  );
  return createHash("sha256")
    .update(JSON.stringify([nonce, values, files]))
    .digest("base64url");
}

/** No person can read and fill in a form faster than this; spam bots can. */
const minAgeMs = 2_000;
const maxAgeMs = 12 * 60 * 60 * 1000;

type TokenState =
  /** `nonce` is a random string that stays the same if the reader sends this form again. */
  { kind: "valid"; nonce: string } | { kind: "early" | "late" | "unknown" };

/** A token is the time at which the form was rendered, signed so that nobody can forge it. */
export function issueToken(secret: Buffer, now: Date): string {
  const content = `${now.getTime().toString(36)}.${randomBytes(12).toString("base64url")}`;
  return `${content}.${sign(secret, content)}`;
}

export function readToken(secret: Buffer, token: string, now: Date): TokenState {
  const [time = "", nonce = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !isSameSecret(signature, sign(secret, `${time}.${nonce}`)))
    return { kind: "unknown" };
  const age = now.getTime() - Number.parseInt(time, 36);
  if (age < minAgeMs) return { kind: "early" };
  return age > maxAgeMs ? { kind: "late" } : { kind: "valid", nonce };
}

const sign = (secret: Buffer, content: string) =>
  createHmac("sha256", secret).update(content).digest("base64url");

const tokenErrors = {
  early:
    "That was fast, so we could not tell whether a person sent it. Please press the button again.",
  late: "This page has been open for a long time. Please press the button again.",
  unknown: "We could not verify this form. Please press the button again.",
};

/**
 * Returns the first error of each field, in the order of the schema, which is that of the page: zod
 * reports what concerns several fields last. Readers see the next error after they correct the
 * first.
 */
export const firstErrors = ({ shape }: z.ZodObject, { issues }: z.ZodError): FieldErrors =>
  Object.fromEntries(
    Object.keys(shape).flatMap((name) => {
      const first = issues.find(({ path }) => path[0] === name);
      return first ? [[name, first.message]] : [];
    }),
  );

export const optionalText = (maxLength: number) =>
  z
    .string()
    .overwrite(stripControlCharacters)
    .trim()
    .max(
      maxLength,
      `Please keep this to ${maxLength.toLocaleString("en-US")} characters or fewer.`,
    );

export const requiredText = (missingMessage: string, maxLength: number) =>
  optionalText(maxLength).refine((text) => toVisibleLine(text) !== "", missingMessage);

const incompleteAddress = "Please enter a complete email address, such as name@example.com.";

// The same rule as HTML's type=email, but the domain must have a dot: "me@example" is a mistake.
export const emailField = z
  .string()
  .trim()
  // Nothing else reads a text that is too long.
  .max(maxEmailLength, { error: "Please enter a shorter email address.", abort: true })
  .min(1, "Please enter your email address.")
  .regex(z.regexes.html5Email, incompleteAddress)
  .regex(/@[^@]*\./, incompleteAddress)
  .toLowerCase();

export const optionalEmail = z.union([z.literal(""), emailField], incompleteAddress);
