import { createInterface } from "node:readline";
import { styleText } from "node:util";
import { progressBar, truncate } from "../app/lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../app/lib/text/plain-text.ts";
import type { Caller, ProgressStep } from "../app/platform/command.ts";

export type Terminal = Caller & {
  /** Writes a line to the standard error: a problem that is not part of the command's output. */
  warn(line: string): void;
  /** Removes the progress progressBar if one is shown. */
  clear(): void;
  /** Resolves when the output can no longer be written, because its reader has gone. */
  closed: Promise<void>;
};

const eraseLine = "\r\u001b[K";

/**
 * Makes JSON safe to show in a terminal. JSON.stringify escapes only the control characters below
 * U+0020. The others can occur only inside strings, where an escape means the same character.
 */
const escapeControls = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * The terminal in which a command was typed. Lines go to the standard output, in color if it is a
 * terminal that supports color. Progress goes to the standard error, so that it never becomes part
 * of output that is saved or parsed. Control sequences in texts from readers, feeds or file names
 * never reach the terminal.
 */
export function openTerminal(isForPrograms: boolean): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const closed = Promise.withResolvers<void>();
  // The reader of the output has gone after the first lines, as `head` does.
  stdout.on("error", () => closed.resolve());
  // Only progress is lost if the standard error cannot be written.
  stderr.on("error", () => {});
  let isBarShown = false;
  let lastTenth = -1;
  const clear = () => {
    if (isBarShown) stderr.write(eraseLine);
    isBarShown = false;
  };
  const redraw = ({ done, all, what }: ProgressStep) => {
    stderr.write(
      eraseLine + truncate(`${progressBar(done, all)} ${toSafeLine(what)}`, stderr.columns - 1),
    );
    isBarShown = true;
  };
  /** At most ten lines per task, so that a log file stays readable. */
  const printTenths = ({ done, all, what }: ProgressStep) => {
    const tenth = all === 0 ? 10 : Math.floor((done / all) * 10);
    if (tenth === lastTenth) return;
    lastTenth = tenth;
    stderr.write(`${progressBar(done, all)} ${toSafeLine(what)}\n`);
  };
  return {
    // The script ./newsroom changes to its own folder first, and passes on where it was typed.
    cwd: env.NEWSROOM_CWD ?? process.cwd(),
    // A terminal that does not know its width reports 0.
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : null,
    print(text) {
      clear();
      stdout.write(
        `${isForPrograms ? escapeControls(text) : stripControlCharacters(text).split("\n").map(paint).join("\n")}\n`,
      );
    },
    warn(text) {
      clear();
      stderr.write(`${stripControlCharacters(text)}\n`);
    },
    confirm: stdin.isTTY && stderr.isTTY && !isForPrograms ? askForYes : null,
    progress: stderr.isTTY ? redraw : isForPrograms ? () => {} : printTenths,
    clear,
    closed: closed.promise,
  };
}

/** Anything other than a clear yes is a no, including Ctrl-C and Ctrl-D. */
function askForYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(false));
    lines.question(`${question} Type "yes" to continue: `, (typed) => {
      resolve(/^y(es)?$/i.test(typed.trim()));
      lines.close();
    });
  });
}

const marks = { "✓": "green", "✗": "red", "!": "yellow", "~": "dim" } as const;

/**
 * Chooses colors by how a line begins, so that commands need not deal with them. NO_COLOR and
 * FORCE_COLOR are respected.
 */
function paint(line: string): string {
  const [, before = "", mark = "", rest = ""] = /^(\s*)([✓✗!~])( .*)$/.exec(line) ?? [];
  if (isMark(mark)) return before + styleText(marks[mark], mark) + rest;
  if (/^─[─ ]*$/.test(line)) return styleText("dim", line);
  return /^[A-Z][^.]*:$/.test(line) ? styleText("bold", line) : line;
}

const isMark = (text: string): text is keyof typeof marks => text in marks;
