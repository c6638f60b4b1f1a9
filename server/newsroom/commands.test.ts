import { describe, expect, it } from "vitest";
import { bareSetting } from "../../tests/support/setting.ts";
import { type Command, runCommand } from "./commands.ts";
import { eventsCommand } from "./events-command.ts";
import { table } from "./printing.ts";
import { purgeCommand } from "./purge-command.ts";

const count: Command = {
  name: "count",
  summary: "Counts.",
  usage: "count crabs | gulls",
  examples: ["count crabs", "count gulls"],
  async run([things], desk) {
    if (things !== "crabs") {
      desk.print("Count what?");
      return 2;
    }
    desk.print(`Three ${things}.`);
    desk.answer({ things, count: 3 });
    return 0;
  },
};

async function typed(...argv: string[]) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await runCommand([count], argv, { ...bareSetting, print });
  return { code, output: lines.join("\n") };
}

describe("a command of the newsroom", () => {
  it("speaks in sentences to people", async () => {
    expect(await typed("count", "crabs")).toEqual({ code: 0, output: "Three crabs." });
  });

  it("answers programs with JSON and nothing else", async () => {
    const { code, output } = await typed("count", "--json", "crabs");
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual({ things: "crabs", count: 3 });
  });

  it("is JSON for programs also when it was not understood", async () => {
    const { code, output } = await typed("count", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(output)).toMatchObject({ exit: 2, lines: ["Count what?", expect.any(String)] });
  });

  it.each([
    ["cuont crabs", 'Did you mean "count"?'],
    ["help coutn", 'Did you mean "count"?'],
    ["count crab", 'Did you mean "count crabs"?'],
    ["count glus", 'Did you mean "count gulls"?'],
  ])("that was typed in a hurry as %j is answered with %j", async (typedWords, meant) => {
    const { code, output } = await typed(...typedWords.split(" "));
    expect(output).toContain(meant);
    expect(code).toBe(2);
  });

  it("that is nothing like any other is not guessed at", async () => {
    for (const words of [["frobnicate"], ["count", "elephants"]])
      expect((await typed(...words)).output).not.toContain("Did you mean");
  });

  it("is listed for people by task, for programs whole", async () => {
    expect((await typed()).output).toContain("More:\n  count        Counts.");
    expect(JSON.parse((await typed("help", "--json")).output)).toEqual([
      { name: "count", summary: "Counts.", usage: count.usage, examples: count.examples },
    ]);
    expect((await typed("--version")).output).toMatch(/^Harborline \d+\.\d+\.\d+$/);
  });
});

describe("a table", () => {
  const rows = [["a-name-that-one-types", "x".repeat(40), "short"]];

  it("is as wide as it needs to be in a file", () => {
    expect(table(["name", "words", "state"], rows).at(-1)).toContain("x".repeat(40));
  });

  it("fits into a narrow terminal, and leaves whole what one has to type", () => {
    const lines = table(["name", "words", "state"], rows, 50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(lines.at(-1)).toMatch(/^a-name-that-one-types {2}x+… {2}short$/);
  });
});

it.each([
  [["purge", "nonsense"], 'No page has the tag "nonsense".'],
  [["purge", "/about"], "Name a page as page:/about"],
  [["events", "import", "--nonsense", "x.ics"], 'events import has no option "--nonsense".'],
])("refuses %j and says why", async (argv, says) => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  expect(await runCommand([purgeCommand, eventsCommand], argv, { ...bareSetting, print })).toBe(2);
  expect(lines.join("\n")).toContain(says);
});
