import { errorFields, errorMessage } from "../../app/lib/log.ts";
import { stripControlCharacters } from "../../app/lib/text/plain-text.ts";

/** An error in how the server was set up, whose message tells the operator everything. */
export class SetupError extends Error {
  override name = "SetupError";
}

/** Compares the name, because the build contains a second copy of this class. */
export const isSetupError = (error: unknown): error is Error =>
  error instanceof Error && error.name === "SetupError";

/** Prints the error and exits. An error that is a bug has a stack, but no parameters of a query. */
export function failToStart(error: unknown): never {
  const { query, stack } = errorFields(error);
  const lines = isSetupError(error) ? [error.message] : [errorMessage(error), query, stack];
  console.error(stripControlCharacters(lines.filter(Boolean).join("\n")));
  process.exit(1);
}
