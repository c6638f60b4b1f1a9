import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Nobody reads and fills in a form faster than this; programs do. */
const minAgeMs = 2_000;
const maxAgeMs = 12 * 60 * 60 * 1000;

type TokenState =
  /** `nonce` is the same however often this very form is sent. */
  { kind: "good"; nonce: string } | { kind: "early" | "late" | "unknown" };

/** Says when a form was given out, signed, so that it can be neither made up nor kept for ever. */
export function issueToken(key: Buffer, now: Date): string {
  const content = `${now.getTime().toString(36)}.${randomBytes(12).toString("base64url")}`;
  return `${content}.${sign(key, content)}`;
}

export function readToken(key: Buffer, token: string, now: Date): TokenState {
  const [time = "", nonce = "", signature = "", ...rest] = token.split(".");
  const expected = Buffer.from(sign(key, `${time}.${nonce}`));
  const given = Buffer.from(signature);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return { kind: "unknown" };
  const age = now.getTime() - Number.parseInt(time, 36);
  if (age < minAgeMs) return { kind: "early" };
  return age > maxAgeMs ? { kind: "late" } : { kind: "good", nonce };
}

const sign = (key: Buffer, content: string) =>
  createHmac("sha256", key).update(content).digest("base64url");
