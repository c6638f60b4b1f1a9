import { timingSafeEqual } from "node:crypto";

/** Takes as long for a nearly right text as for a wrong one, so that nobody can guess it in steps. */
export function isSameSecret(received: string, expected: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
