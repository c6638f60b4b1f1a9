import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { findProgram } from "./programs.ts";

type Signal = "TERM" | "INT";

const setpriv = findProgram("setpriv");

/**
 * Starts a program that a test uses. A test stops it at the end. If the test process is killed
 * before that, Linux sends the signal to the program (`setpriv` of util-linux requests this), so
 * that no test leaves a process behind.
 */
export function startHelper(
  program: string,
  args: string[],
  options: SpawnOptions & { endSignal?: Signal },
): ChildProcess {
  const { endSignal = "TERM", ...spawnOptions } = options;
  return setpriv
    ? spawn(setpriv, ["--pdeathsig", endSignal, program, ...args], spawnOptions)
    : spawn(program, args, spawnOptions);
}
