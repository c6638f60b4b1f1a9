import { errorFields, errorMessage } from "../../app/lib/log.ts";
import { stripControlCharacters } from "../../app/lib/text/plain-text.ts";

/**
 * A mistake in how the server was started. Its message is all that the person at the terminal
 * needs.
 */
export class SetupError extends Error {
  override name = "SetupError";
}

/** By its name, since the build brings a copy of this class of its own. */
export const isSetupError = (error: unknown): error is Error =>
  error instanceof Error && error.name === "SetupError";

/**
 * Says a mistake of set-up in plain words; anything else is ours to find, so with its stack, but
 * without parameters of queries.
 */
export function failToStart(error: unknown): never {
  const { query, stack } = errorFields(error);
  const lines = isSetupError(error) ? [error.message] : [errorMessage(error), query, stack];
  console.error(stripControlCharacters(lines.filter(Boolean).join("\n")));
  process.exit(1);
}
