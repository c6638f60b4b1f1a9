import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "./server.ts";

type RunningProcess = { kill(signal?: NodeJS.Signals): Promise<void> };

const watchProcess = (child: ChildProcess): RunningProcess => {
  const ended = once(child, "exit");
  return {
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await ended;
    },
  };
};

/**
 * Starts a real Icecast with one mount point, /live. Icecast refuses to run as root, so it is
 * configured to switch to the user nobody.
 */
export async function startIcecast(program: string, port: number): Promise<RunningProcess> {
  const folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
  const config = join(folder.path, "icecast.xml");
  const changeOwner = "<changeowner><user>nobody</user><group>nogroup</group></changeowner>";
  await writeFile(
    config,
    `<icecast><location>test</location><admin>test@example.com</admin>
<limits><clients>110</clients><sources>2</sources></limits>
<authentication><source-password>test</source-password><admin-user>admin</admin-user>
<admin-password>test</admin-password></authentication>
<hostname>localhost</hostname><listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
<paths><basedir>/usr/share/icecast2</basedir><logdir>${folder.path}</logdir><webroot>/usr/share/icecast2/web</webroot>
<adminroot>/usr/share/icecast2/admin</adminroot></paths>
<logging><accesslog>-</accesslog><errorlog>-</errorlog><loglevel>1</loglevel></logging>
<security><chroot>0</chroot>${process.getuid?.() === 0 ? changeOwner : ""}</security></icecast>`,
  );
  const child = spawn(program, ["-c", config], { stdio: "ignore" });
  const server = watchProcess(child);
  // Icecast listens before it accepts a studio.
  while ((await readStatus(port)) === null) {
    if (child.exitCode !== null) throw new Error(`Icecast exited with code ${child.exitCode}.`);
    await pause(50);
  }
  return {
    async kill(signal) {
      await server.kill(signal);
      await folder.remove();
    },
  };
}

/**
 * Starts a studio: ffmpeg, which sends a file to Icecast in real time, in a loop. `kill` waits until
 * Icecast has noticed, because it accepts only one studio at a time.
 */
export async function startStudio(
  ffmpeg: string,
  port: number,
  file: string,
): Promise<RunningProcess> {
  const target = `icecast://source:test@127.0.0.1:${port}/live`;
  const outputOptions = "-c copy -content_type audio/mpeg -ice_name Testville -f mp3";
  const args = `-nostdin -loglevel error -re -stream_loop -1 -i ${file} ${outputOptions} ${target}`;
  const child = spawn(ffmpeg, args.split(" "), { stdio: "ignore" });
  const studio = watchProcess(child);
  while ((await readStatus(port)) !== 200) {
    if (child.exitCode !== null) throw new Error(`ffmpeg exited with code ${child.exitCode}.`);
    await pause(50);
  }
  let killed: Promise<void> | undefined;
  return {
    kill() {
      killed ??= (async () => {
        await studio.kill();
        while ((await readStatus(port)) === 200) await pause(50);
      })();
      return killed;
    },
  };
}

/** A connection that Icecast accepts while it starts or ends may never get a response. */
const responseTimeoutMs = 5_000;

/** Reads the status of the mount point, or null if Icecast does not respond. */
async function readStatus(port: number): Promise<number | null> {
  // Icecast 2.4 does not support HEAD.
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(responseTimeoutMs)]);
  const response = await fetch(`http://127.0.0.1:${port}/live`, { signal }).catch(() => null);
  abort.abort();
  return response?.status ?? null;
}
