import { describe, expect, it } from "vitest";
import { type Command, runCommand } from "./commands.ts";
import { readConfig } from "./config.ts";

const count: Command = {
  name: "count",
  summary: "Counts.",
  usage: "count <things>",
  examples: ["count crabs"],
  async run([things], desk) {
    if (things === undefined) {
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
  const code = await runCommand([count], argv, {
    print: (line) => lines.push(line),
    progress() {},
    cwd: ".",
    columns: null,
    config: readConfig({}),
    isServing: false,
    siteFolder: "",
    siteFiles: [],
    database: () => Promise.reject(new Error("not needed here")),
    fetch: () => Promise.reject(new Error("not needed here")),
  });
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
    expect(JSON.parse(output)).toEqual({ exit: 2, lines: ["Count what?"] });
  });
});
