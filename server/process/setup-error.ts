import { errorFields, errorMessage } from "../../app/lib/log.ts";
import { stripControlCharacters } from "../../app/lib/text/plain-text.ts";

/**
 * An error in how the server was set up. Its message tells the operator everything, so no stack is
 * printed.
 */
export class SetupError extends Error {
  override name = "SetupError";
}

/** Compares the name, because the build contains a second copy of this class. */
export const isSetupError = (error: unknown): error is Error =>
  error instanceof Error && error.name === "SetupError";

/**
 * Prints the error and exits. Errors other than a SetupError are bugs, so their stack is printed
 * too, but never the parameters of a query, which may be readers' data.
 */
export function failToStart(error: unknown): never {
  const { query, stack } = errorFields(error);
  const lines = isSetupError(error) ? [error.message] : [errorMessage(error), query, stack];
  console.error(stripControlCharacters(lines.filter(Boolean).join("\n")));
  process.exit(1);
}
