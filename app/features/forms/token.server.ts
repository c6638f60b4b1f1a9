import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** No person can read and fill in a form faster than this; spam bots can. */
const minAgeMs = 2_000;
const maxAgeMs = 12 * 60 * 60 * 1000;

type TokenState =
  /** `nonce` is a random string that stays the same if the reader sends this form again. */
  { kind: "valid"; nonce: string } | { kind: "early" | "late" | "unknown" };

/**
 * Issues a token: a signed timestamp of when the form was rendered, which nobody can forge, or use
 * after `maxAgeMs`.
 */
export function issueToken(key: Buffer, now: Date): string {
  const content = `${now.getTime().toString(36)}.${randomBytes(12).toString("base64url")}`;
  return `${content}.${sign(key, content)}`;
}

/**
 * Checks a token. It is too early or too late if its form was rendered only just now or long ago.
 */
export function readToken(key: Buffer, token: string, now: Date): TokenState {
  const [time = "", nonce = "", signature = "", ...rest] = token.split(".");
  const expected = Buffer.from(sign(key, `${time}.${nonce}`));
  const received = Buffer.from(signature);
  const isValid = received.length === expected.length && timingSafeEqual(received, expected);
  if (rest.length > 0 || !isValid) return { kind: "unknown" };
  const age = now.getTime() - Number.parseInt(time, 36);
  if (age < minAgeMs) return { kind: "early" };
  return age > maxAgeMs ? { kind: "late" } : { kind: "valid", nonce };
}

const sign = (key: Buffer, content: string) =>
  createHmac("sha256", key).update(content).digest("base64url");
