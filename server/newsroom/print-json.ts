import type { Caller } from "../../app/platform/command.ts";
import { isSetupError } from "../process/setup-error.ts";
import { extractFlags } from "./command-line.ts";

/**
 * Runs a command. With --json, JSON is printed even if the command cannot run: its result or, if it
 * has none, its exit code and its lines. Only this function knows the flag: the rest of the program
 * and the server pass on lines and results.
 */
export async function runWithJson<C extends Partial<Caller> & Pick<Caller, "print">>(
  argv: string[],
  caller: C,
  run: (words: string[], caller: C) => Promise<number>,
): Promise<number> {
  const { words, isPresent: wantsJson } = extractFlags(argv, ["--json"]);
  if (!wantsJson) return run(words, caller);
  const lines: string[] = [];
  let output: unknown;
  const collector = {
    ...caller,
    columns: null,
    confirm: null,
    print: (line: string) => lines.push(line),
    result(value: unknown) {
      output = value;
    },
  };
  const exit = await run(words, collector).catch((error: unknown) => {
    if (!isSetupError(error)) throw error;
    lines.push(error.message);
    return 1;
  });
  const printed = output === undefined ? { exit, lines } : output;
  caller.print(escapeControls(JSON.stringify(printed, null, 2)));
  return exit;
}

/**
 * Makes JSON safe to show in a terminal, because JSON.stringify escapes only the control characters
 * below U+0020.
 */
const escapeControls = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
