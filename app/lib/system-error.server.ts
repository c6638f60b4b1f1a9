import { getSystemErrorMap } from "node:util";
import { errorCode } from "./error-code.ts";

const messages = new Map(getSystemErrorMap().values());

/**
 * What the operating system says about an error, such as "no space left on device". Undefined for an
 * error of another origin.
 */
export const findSystemMessage = (error: unknown): string | undefined =>
  messages.get(errorCode(error) ?? "");
