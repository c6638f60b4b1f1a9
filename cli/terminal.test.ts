import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** Runs a program that has a terminal in `t`, and returns everything that it wrote. */
function runProgram(
  program: string,
  env: object = { NO_COLOR: "1" },
): { stdout: string; stderr: string } {
  const source = `import { openTerminal } from "./cli/terminal.ts"; const t = openTerminal(); ${program}`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
  });
}

const hostile = "Ann\u001b[2J\u009b31m\u0007 \u202egpj.exe\u0000";

describe("the terminal", () => {
  it("removes control sequences from text that readers and feeds wrote", () => {
    const { stdout, stderr } = runProgram(
      `const text = ${JSON.stringify(hostile)};
       t.print("✓ from " + text + "\\nnext line"); t.warn(text);`,
    );
    expect(stdout).toBe("✓ from Ann[2J31m gpj.exe\nnext line\n");
    expect(stderr).toBe("Ann[2J31m gpj.exe\n");
  });

  it("prints JSON with every character, and control characters as escapes", () => {
    const { stdout } = runProgram(
      `import { runWithJson } from "./server/newsroom/print-json.ts";
       await runWithJson(["--json"], t, async (_words, { result }) => {
         result(${JSON.stringify({ hostile })});
         return 0;
       });`,
    );
    expect(JSON.parse(stdout)).toEqual({ hostile });
    expect(stdout.trimEnd()).toMatch(/^[\n\u0020-\u007e]*$/);
  });

  it("prints colors if the environment asks for them", () => {
    const { stdout } = runProgram(`t.print("✓ about.yaml");`, { FORCE_COLOR: "1" });
    expect(stdout).toBe("\u001b[32m✓\u001b[39m about.yaml\n");
  });
});
