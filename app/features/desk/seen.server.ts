import { createHash } from "node:crypto";

/** A hash of the values of a form, which shows whether somebody has changed them since. */
export const hashValues = (values: Record<string, string>): string =>
  createHash("sha256").update(JSON.stringify(values)).digest("base64url");

/** Says for each field that the editor would overwrite what is stored there now. */
export const describeStored = (
  stored: Record<string, string>,
  typed: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typed).flatMap(([name, text]) =>
      (stored[name] ?? text) === text
        ? []
        : [[name, stored[name] ? `Now it says: ${stored[name]}` : "Now it is empty."]],
    ),
  );
