import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** Runs a program that has a terminal in `t`, and gives all that it wrote. */
function written(program: string, isForPrograms = false): { stdout: string; stderr: string } {
  const source = `import { openTerminal } from "./cli/terminal.ts"; const t = openTerminal(${isForPrograms}); ${program}`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", source], {
    encoding: "utf8",
  });
}

const hostile = "Ann\u001b[2J\u009b31m\u0007 \u202egpj.exe\u0000";

describe("the terminal", () => {
  it("shows words of others without the control sequences in them", () => {
    const { stdout, stderr } = written(
      `const words = ${JSON.stringify(hostile)};
       t.print("✓ from " + words + "\\nnext line"); t.progress({ done: 1, all: 2, what: words }); t.warn(words);`,
    );
    expect(stdout).toBe("✓ from Ann[2J31m gpj.exe\nnext line\n");
    expect(stderr).toBe("[##########----------] 1/2 Ann[2J31m gpj.exe\nAnn[2J31m gpj.exe\n");
  });

  it("gives programs every character, in escapes", () => {
    const { stdout } = written(`t.print(JSON.stringify(${JSON.stringify({ hostile })}));`, true);
    expect(JSON.parse(stdout)).toEqual({ hostile });
    expect(stdout.trimEnd()).toMatch(/^[\u0020-\u007e]*$/);
  });
});
