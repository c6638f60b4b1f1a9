import { createInterface } from "node:readline";
import { styleText } from "node:util";
import { progressBar, truncate } from "../app/lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../app/lib/text/plain-text.ts";
import type { Caller, ProgressStep } from "../app/platform/command.ts";

export type Terminal = Caller & {
  /** A line about something that went wrong beside the command; not part of its output. */
  warn(line: string): void;
  /** Takes away the bar that is still there. */
  clear(): void;
  /** Resolves when nobody reads the output any more. */
  closed: Promise<void>;
};

const eraseLine = "\r\u001b[K";

/**
 * JSON that may be shown in a terminal as well. JSON.stringify escapes the control characters below
 * U+0020 only; these occur in strings alone, where their escapes mean the same.
 */
const escapeControls = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * What a command was typed in. Lines go to the standard output, in colour where it is a terminal
 * that wants them; how far the work has come goes to the standard error, so that it is never part
 * of what somebody keeps or reads by program. Whatever a reader, a feed or a file name brought
 * along, no control sequence of it reaches the terminal.
 */
export function openTerminal(isForPrograms: boolean): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const closed = Promise.withResolvers<void>();
  // Somebody read the first lines and left, as `head` does.
  stdout.on("error", () => closed.resolve());
  // What is lost on the standard error is only how far the work has come.
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
  /** Ten lines at most: a log is read by people too. */
  const sayTenths = ({ done, all, what }: ProgressStep) => {
    const tenth = all === 0 ? 10 : Math.floor((done / all) * 10);
    if (tenth === lastTenth) return;
    lastTenth = tenth;
    stderr.write(`${progressBar(done, all)} ${toSafeLine(what)}\n`);
  };
  return {
    // ./newsroom goes to its own folder first, and tells where it was typed.
    cwd: env.NEWSROOM_CWD ?? process.cwd(),
    // A terminal that does not know its width says 0.
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
    progress: stderr.isTTY ? redraw : isForPrograms ? () => {} : sayTenths,
    clear,
    closed: closed.promise,
  };
}

/** Anything but a clear yes is a no; so are Ctrl-C and Ctrl-D. */
function askForYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once("close", () => resolve(false));
    lines.question(`${question} Type "yes" to go on: `, (typed) => {
      resolve(/^y(es)?$/i.test(typed.trim()));
      lines.close();
    });
  });
}

const marks = { "✓": "green", "✗": "red", "!": "yellow", "~": "dim" } as const;

/**
 * Colours follow from how a line begins, so commands need not know of them. NO_COLOR and
 * FORCE_COLOR are obeyed.
 */
function paint(line: string): string {
  const [, before = "", mark = "", rest = ""] = /^(\s*)([✓✗!~])( .*)$/.exec(line) ?? [];
  if (isMark(mark)) return before + styleText(marks[mark], mark) + rest;
  if (/^─[─ ]*$/.test(line)) return styleText("dim", line);
  return /^[A-Z][^.]*:$/.test(line) ? styleText("bold", line) : line;
}

const isMark = (text: string): text is keyof typeof marks => text in marks;
