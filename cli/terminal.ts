import { createInterface } from "node:readline";
import { styleText } from "node:util";
import { formatProgressBar, truncate } from "../app/lib/newsroom/printing.ts";
import { stripControlCharacters, toSafeLine } from "../app/lib/text/plain-text.ts";
import type { Caller, ProgressStep } from "../app/platform/command.ts";

export type Terminal = Caller & {
  /** Writes a line about a problem to standard error, so that it is not part of the output. */
  warn(line: string): void;
  /** Removes the progress bar if one is shown. */
  clear(): void;
  /** Resolves when output can no longer be written, because the program that read it has exited. */
  outputClosed: Promise<void>;
};

const eraseLine = "\r\u001b[K";

/**
 * Opens the terminal in which a command was typed. Lines go to standard output, and progress goes
 * to standard error, so that it is never part of output that is saved or parsed. Control sequences
 * in text from readers, feeds or file names never reach the terminal.
 */
export function openTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const closed = Promise.withResolvers<void>();
  // A program that reads the output, such as `head`, may exit after the first lines.
  stdout.on("error", () => closed.resolve());
  // If standard error cannot be written, only progress and warnings are lost.
  stderr.on("error", () => {});
  let isBarShown = false;
  const clear = () => {
    if (isBarShown) stderr.write(eraseLine);
    isBarShown = false;
  };
  const redraw = ({ done, all, what }: ProgressStep) => {
    stderr.write(
      eraseLine +
        truncate(`${formatProgressBar(done, all)} ${toSafeLine(what)}`, stderr.columns - 1),
    );
    isBarShown = true;
  };
  return {
    // The script ./newsroom changes to its own folder, so it passes on the folder in which it was
    // run.
    cwd: env.NEWSROOM_CWD ?? process.cwd(),
    // A terminal that does not know its width reports 0.
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : null,
    isOffline: env.OFFLINE === "1",
    print(text) {
      clear();
      stdout.write(`${stripControlCharacters(text).split("\n").map(paint).join("\n")}\n`);
    },
    result() {},
    warn(text) {
      clear();
      stderr.write(`${stripControlCharacters(text)}\n`);
    },
    confirm: stdin.isTTY && stderr.isTTY ? askForYes : null,
    progress: stderr.isTTY ? redraw : () => {},
    clear,
    outputClosed: closed.promise,
  };
}

/** Asks a question. Anything other than "y" or "yes" is a no, including Ctrl-C and Ctrl-D. */
function askForYes(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    prompt.once("close", () => resolve(false));
    prompt.question(`${question} Type "yes" to continue: `, (typed) => {
      resolve(/^y(es)?$/i.test(typed.trim()));
      prompt.close();
    });
  });
}

const markColors = { "✓": "green", "✗": "red", "!": "yellow", "~": "dim" } as const;

/**
 * Colors a line by how it begins, so that commands need not deal with colors. NO_COLOR and
 * FORCE_COLOR are respected.
 */
function paint(line: string): string {
  const [, before = "", mark = "", rest = ""] = /^(\s*)([✓✗!~])( .*)$/.exec(line) ?? [];
  if (isMark(mark)) return before + styleText(markColors[mark], mark) + rest;
  if (/^─[─ ]*$/.test(line)) return styleText("dim", line);
  return /^[A-Z][^.]*:$/.test(line) ? styleText("bold", line) : line;
}

const isMark = (text: string): text is keyof typeof markColors => text in markColors;
