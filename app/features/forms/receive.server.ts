import { createHash } from "node:crypto";
import { z } from "zod";
import { ensureSecret } from "../../../db/secrets.ts";
import { formField } from "../../lib/form.ts";
import { toVisitor } from "../../lib/http/visitors.server.ts";
import { errorFields } from "../../lib/log.ts";
import { stripControlCharacters } from "../../lib/text/plain-text.ts";
import type { Services } from "../../platform/services.ts";
import { type Refusal, spamTrapField, tokenField } from "./model.ts";
import { countForm, readFormCount } from "./rate-limit.server.ts";
import { issueToken, readToken } from "./token.server.ts";

type FormRule<S extends z.ZodObject> = {
  name: string;
  schema: S;
  /** So many from one visitor within an hour. */
  perHour: number;
  /**
   * The number that is stored from all visitors within an hour, so that a flood from many addresses
   * cannot fill the disk.
   */
  totalPerHour?: number;
  /**
   * False for a form on a kept page, which is the same for everybody and so cannot carry a token.
   */
  hasToken: boolean;
};

// biome-ignore lint/suspicious/noConfusingVoidType: most keepers have nothing to answer
type StoreResult = FieldErrors | void;

/** What is wrong, by the name of the field. */
export type FieldErrors = Record<string, string>;

/** `ipAddress` is where the request comes from. */
export type FormServices = Pick<Services, "db" | "clock" | "log"> & { ipAddress: string };

const secretName = "forms";
/** Stands where a visitor's address would, for the count of all visitors. */
const everybody = "everybody";

export const createToken = async ({ db, clock }: Pick<Services, "db" | "clock">): Promise<string> =>
  issueToken(await ensureSecret(db, secretName), clock());

/**
 * Takes a form: checks what the browser cannot be trusted to have checked, then has it kept.
 * Whatever goes wrong, everything that was typed comes back. `keep` gets a key that is the same
 * when the same form is sent twice; what it alone can find wrong, it answers. `found` is what the
 * caller saw already, such as a file that is too large. A form that `isCut` lacks fields that the
 * reader did fill in, so only what was found is said.
 */
export async function receiveForm<S extends z.ZodObject>(
  rule: FormRule<S>,
  form: FormData,
  services: FormServices,
  keep: (values: z.output<S>, key: string) => Promise<StoreResult>,
  found: FieldErrors = {},
  isCut = false,
): Promise<{ kind: "stored"; values: z.output<S> } | Refusal> {
  const typed = Object.fromEntries(
    Object.keys(rule.schema.shape).map((name) => [name, formField(form, name)]),
  );
  const refuse = (
    status: Refusal["status"],
    summary: string,
    errors: FieldErrors = {},
  ): Refusal => ({
    kind: "refused",
    status,
    summary,
    errors,
    typed,
  });
  if (formField(form, spamTrapField) !== "")
    return refuse(
      422,
      "A field that people cannot see was filled in. Please send the form again by hand.",
    );

  const refuseFields = (errors: FieldErrors) => {
    const count = Object.keys(errors).length;
    const summary =
      count === 1 ? "One field needs another look." : `${count} fields need another look.`;
    return refuse(422, summary, inFieldOrder(errors, [...form.keys()]));
  };

  if (isCut) return refuseFields(found);
  const parsed = rule.schema.safeParse(typed);
  if (!parsed.success) return refuseFields({ ...firstErrors(parsed.error), ...found });
  if (Object.keys(found).length > 0) return refuseFields(found);
  try {
    let key: string = crypto.randomUUID();
    if (rule.hasToken) {
      const token = readToken(
        await ensureSecret(services.db, secretName),
        formField(form, tokenField),
        services.clock(),
      );
      if (token.kind !== "good") return refuse(422, tokenErrors[token.kind]);
      key = submissionKey(token.nonce, form, parsed.data);
    }
    const { db, clock } = services;
    if (!(await countWithinVisitorLimit(rule, services)))
      return refuse(
        429,
        "That is a lot within one hour. Please try again later, or write us an e-mail.",
      );
    const all = { form: rule.name, subject: everybody };
    if (
      rule.totalPerHour !== undefined &&
      (await readFormCount(db, clock, all)) >= rule.totalPerHour
    )
      return refuse(
        429,
        "More is coming in than we can read. Please try again in an hour, or write us an e-mail.",
      );
    const wrong = await keep(parsed.data, key);
    if (wrong) return refuseFields(wrong);
    // Only what was stored counts for everybody: what is refused to one visitor must not close the
    // form for all others.
    if (rule.totalPerHour !== undefined)
      await countForm(db, clock, all).catch((error) =>
        services.log.warn("form.not_counted", { form: rule.name, ...errorFields(error) }),
      );
  } catch (error) {
    services.log.error("form.not_kept", { form: rule.name, ...errorFields(error) });
    return refuse(
      503,
      "We could not keep this just now. Nothing you typed is lost: please try again in a moment.",
    );
  }
  return { kind: "stored", values: parsed.data };
}

/**
 * The same for a form that is sent twice, and another for one that was changed before it was sent
 * again: the server may have stored the first one although its answer was lost, and what the reader
 * added must be stored too.
 */
function submissionKey(nonce: string, form: FormData, values: object): string {
  const files = [...form].flatMap(([field, value]) =>
    typeof value === "string" ? [] : [[field, value.name, value.size]],
  );
  return createHash("sha256")
    .update(JSON.stringify([nonce, values, files]))
    .digest("base64url");
}

/** Households of one provider share a /48, so it may send more than one visitor. */
const regionFactor = 5;

/** Counts one more form of this visitor, and says whether that is within the limit. */
async function countWithinVisitorLimit(
  { name: form, perHour }: Pick<FormRule<z.ZodObject>, "name" | "perHour">,
  { db, clock, ipAddress }: FormServices,
): Promise<boolean> {
  const { network, region } = toVisitor(ipAddress);
  if ((await countForm(db, clock, { form, subject: network })) > perHour) return false;
  return (
    region === null ||
    (await countForm(db, clock, { form, subject: region })) <= perHour * regionFactor
  );
}

const tokenErrors = {
  early:
    "That was quick, and we could not tell whether a person sent it. Please press the button once more.",
  late: "This page has been open for a long time. Please press the button once more.",
  unknown: "We could not tell whether this form is ours. Please press the button once more.",
};

/** One message a field is enough; the next shows when the first is mended. */
function firstErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) errors[String(path[0])] ??= message;
  return errors;
}

/** As the fields stand on the page; a box that was not ticked sends nothing, and comes last. */
function inFieldOrder(errors: FieldErrors, names: string[]): FieldErrors {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.fromEntries(
    Object.entries(errors).toSorted(([one], [other]) => place(one) - place(other)),
  );
}

/** An optional line of text. */
export const optionalLine = (max: number) =>
  z
    .string()
    .overwrite(stripControlCharacters)
    .trim()
    .max(max, `Please use at most ${max} characters.`);

export const requiredText = (ask: string, max: number) => optionalLine(max).min(1, ask);

// The rule of HTML's type=email, so that the server refuses nothing the browser has let through;
// 254 characters is the longest address mail can be sent to (RFC 5321).
export const emailField = z
  .string()
  .trim()
  .max(254, "Please enter a shorter e-mail address.")
  .min(1, "Please enter your e-mail address.")
  .regex(z.regexes.html5Email, "Please enter a complete e-mail address, such as name@example.com.")
  .toLowerCase();
