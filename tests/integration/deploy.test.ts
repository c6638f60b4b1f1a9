import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { mailCloseTimeoutMs } from "../../app/features/mail/mailer.server.ts";
import { stopTimes } from "../../server/http/http.ts";
import { buildIfNeeded } from "../../server/process/build.ts";
import { jobsStopTimeoutMs } from "../../server/process/jobs.ts";
import { findFreePort } from "../support/free-port.ts";
import { findProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/server.ts";

const run = promisify(execFile);
const analyzer = findProgram("systemd-analyze") ?? "";
const nodeUnit = "deploy/harborline@.service";
const units = [nodeUnit, "deploy/harborline-build.service"];

describe.skipIf(!analyzer)("the systemd units", () => {
  it("are understood by systemd, and start a program that exists after npm ci", async () => {
    const folder = await temporaryFolder();
    try {
      const copies = units.map((unit) => join(folder.path, basename(unit)));
      for (const [index, unit] of units.entries()) {
        const unitText = await readFile(unit, "utf8");
        expect(unitText).toContain("ExecStart=/opt/harborline/current/node_modules/.bin/node ");
        await writeFile(
          copies[index] ?? "",
          unitText.replaceAll("/opt/harborline/current", process.cwd()),
        );
      }
      const { stderr } = await run(analyzer, ["verify", ...copies]);
      expect(stderr.split("\n").filter((line) => line.includes("harborline"))).toEqual([]);
    } finally {
      await folder.remove();
    }
  });

  it("restrict what the service can access", async () => {
    for (const unit of units) {
      const options = ["security", "--offline=yes", "--threshold=25", unit];
      // The command fails if the exposure is above the threshold (2.5).
      await expect(run(analyzer, options)).resolves.toBeDefined();
    }
  });
});

describe("the systemd unit of a node", () => {
  const readSetting = async (name: string) => {
    const line = (await readFile(nodeUnit, "utf8"))
      .split("\n")
      .find((line) => line.startsWith(`${name}=`));
    return line?.slice(name.length + 1);
  };

  it.each([
    // "systemctl restart" returns when the node says that it is ready. A child process sends that
    // message.
    ["Type", /^notify$/],
    ["NotifyAccess", /^all$/],
    ["WatchdogSec", /^\d+$/],
    ["Wants", /\bharborline-build\.service\b/],
    ["After", /\bpostgresql\.service\b.*\bharborline-build\.service\b/],
    // Two open files for each of 2,000 radio listeners behind a proxy, and room for a higher limit.
    ["LimitNOFILE", /^\d{5,}$/],
    ["MemoryMax", /^\d+M$/],
    ["SystemCallFilter", /^@system-service$/],
    ["ReadWritePaths", /^-\/srv\/harborline\/sites -\/srv\/harborline\/desk$/],
  ])("sets %s", async (name, value) => {
    expect(await readSetting(name)).toMatch(value);
  });

  it("gives a node more time to stop than the node needs at most", async () => {
    const worstSeconds = (stopTimes.requestsMs + stopTimes.otherMs) / 1_000;
    expect(Number(await readSetting("TimeoutStopSec"))).toBeGreaterThanOrEqual(worstSeconds + 5);
  });

  it("leaves a node the time to close its database, even if jobs or a mail server hang", () => {
    const remainingMs = stopTimes.otherMs - Math.max(jobsStopTimeoutMs, mailCloseTimeoutMs);
    expect(remainingMs).toBeGreaterThanOrEqual(3_000);
  });

  it("restarts the node without limit while the database is unavailable", async () => {
    expect(await readSetting("StartLimitIntervalSec")).toBe("0");
    expect(await readSetting("Restart")).toBe("always");
  });

  it("starts the server as npm start does", async () => {
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    expect(scripts.start).toBe("exec node server/start.ts");
    expect(await readSetting("ExecStart")).toMatch(/\/node server\/start\.ts$/);
  });
});

// Only root can set up the accounts, in a mount namespace that hides them from the rest of the machine.
describe.skipIf(process.getuid?.() !== 0 || !findProgram("sudo"))(
  "the access of journalists on the server",
  () => {
    /** Runs a script as a journalist, on a machine that is set up as the operations guide says. */
    async function runAsJournalist(script: string): Promise<{ code: number; output: string }> {
      const folder = await temporaryFolder();
      onTestFinished(folder.remove);
      const write = (name: string, content: string) =>
        writeFile(join(folder.path, name), content, { mode: 0o644 });
      await chmod(folder.path, 0o755);
      await write(
        "passwd",
        [
          "root:*:0:0::/root:/bin/sh",
          "harborline:*:901:901::/:/usr/sbin/nologin",
          "ann:*:902:902::/srv/home:/bin/sh",
        ].join("\n"),
      );
      await write("group", "root:*:0:\nharborline:*:901:\nnewsroom:*:902:harborline\n");
      await writeFile(
        join(folder.path, "newsroom"),
        `#!/bin/sh\necho "$(id -un) in $PWD: $*"; echo "NODE_OPTIONS is '$NODE_OPTIONS'"\nexit 3\n`,
        { mode: 0o755 },
      );
      await write("script", script);
      const setup = `set -e
        mount -t tmpfs none /srv && mount -t tmpfs none /opt && mount -t tmpfs none /usr/local/bin
        cp deploy/sudoers ${folder.path}/sudoers && chmod 440 ${folder.path}/sudoers
        for file in passwd group sudoers; do mount --bind ${folder.path}/$file /etc/$file; done
        mkdir -p /opt/harborline/current/deploy /srv/home
        cp ${folder.path}/newsroom /opt/harborline/current/
        cp deploy/newsroom deploy/post-receive /opt/harborline/current/deploy/
        ln -s /opt/harborline/current/deploy/newsroom /usr/local/bin/newsroom
        install -d -o ann -g newsroom -m 2770 /srv/harborline/desk /srv/harborline/sites/baltimore
        chown ann /srv/home
        cd /srv/home
        exec setpriv --reuid ann --regid newsroom --init-groups env -i PATH="$PATH" HOME=/srv/home \
          NODE_OPTIONS=--import=/srv/home/evil.js sh ${folder.path}/script`;
      return new Promise((resolve) => {
        execFile("unshare", ["--mount", "sh", "-c", setup], (error, stdout, stderr) => {
          const code = typeof error?.code === "number" ? error.code : 0;
          resolve({ code, output: stdout + stderr });
        });
      });
    }

    it("lets them run every command, and nothing else, as the server's account", async () => {
      expect(await runAsJournalist('newsroom stories approve 3 --title "A Cat"')).toEqual({
        code: 3,
        output:
          "harborline in /srv/harborline/desk: stories approve 3 --title A Cat\nNODE_OPTIONS is ''\n",
      });
      const inFolder = await runAsJournalist(
        "cd /srv/harborline/sites/baltimore && newsroom validate",
      );
      expect(inFolder.output).toContain("harborline in /srv/harborline/sites/baltimore: validate");
      const refused = await runAsJournalist("sudo -n -u harborline /bin/sh -c id");
      expect(refused.output).toContain("password is required");
      expect(refused.code).toBe(1);
    });

    it("responds to a git push with the mistakes in the files", async () => {
      const { output } = await runAsJournalist(`set -e
        export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=a@example.com
        cd /srv/harborline/sites/baltimore
        git init -q -b main && git config receive.denyCurrentBranch updateInstead
        ln -s /opt/harborline/current/deploy/post-receive .git/hooks/
        git commit -q --allow-empty -m first
        git clone -q . /srv/home/baltimore && cd /srv/home/baltimore
        echo "title: Fire" > site.yaml && git add -A && git commit -q -m second && git push -q
        cat /srv/harborline/sites/baltimore/site.yaml`);
      expect(output).toMatch(
        /remote: harborline in \/srv\/\S+: --city baltimore validate --problems/,
      );
      expect(output).toContain("title: Fire");
    });
  },
);

describe("the Containerfile", () => {
  it("names no registry, and runs as the user for whom its steps create the data folder", async () => {
    const containerfile = await readFile("Containerfile", "utf8");
    expect(containerfile).toMatch(/^ARG BASE=[\w.-]+:[\w.-]+$/m);
    expect(containerfile.match(/^FROM .*$/gm)).toEqual(["FROM $BASE AS build", "FROM $BASE"]);
    expect(containerfile).toContain("\nUSER 10001:10001\n");
    expect(await readFile("deploy/container.sh", "utf8")).toContain("-o 10001 -g 10001");
  });
});

// Only root can start a process as another user, on a read-only file system.
describe.skipIf(process.getuid?.() !== 0)("the image of the Containerfile", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let appFolder: string;
  const dataFolder = () => join(folder.path, "data");
  const runStep = (...args: string[]) =>
    run("sh", [join(appFolder, "deploy/container.sh"), ...args]);

  beforeAll(async () => {
    folder = await temporaryFolder();
    await chmod(folder.path, 0o755);
    appFolder = join(folder.path, "app");
    const ignoredNames = (await readFile(".dockerignore", "utf8")).split("\n");
    const names = (await readdir(".")).filter((name) => !ignoredNames.includes(name));
    await mkdir(join(appFolder, "build"), { recursive: true });
    await run("cp", ["-a", ...names, appFolder]);
    // In place of the step "install", and of most of the step "build", which finds its result.
    const { clientFolder } = await buildIfNeeded(() => {});
    await run("cp", ["-a", dirname(clientFolder), join(appFolder, "build")]);
    // Hard links cannot cross file systems.
    await run("cp", ["-al", "node_modules", appFolder]).catch(() =>
      run("cp", ["-a", "node_modules", appFolder]),
    );
    await runStep("build");
    await runStep("prepare", dataFolder());
    await run("cp", ["-a", `${inject("dataTemplate")}/.`, dataFolder()]);
    await run("chown", ["-R", "10001:10001", dataFolder()]);
  });
  afterAll(() => folder.remove());

  /** Starts the server as a container does: read-only except for /tmp and the data folder. */
  function startContainer(port: number) {
    const script = `set -e
      mount -t tmpfs none /srv && mkdir /srv/app /srv/data
      mount --bind ${appFolder} /srv/app && mount --bind ${dataFolder()} /srv/data
      mount -t tmpfs none /tmp
      mount -o remount,bind,ro /srv && mount -o remount,bind,ro /srv/app && mount -o remount,bind,ro /
      cd /srv/app
      exec setpriv --reuid 10001 --regid 10001 --clear-groups sh deploy/container.sh run`;
    const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: "/srv/data", OFFLINE: "1" };
    const child = spawn("unshare", ["--mount", "sh", "-c", script], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "exit") };
  }

  it("runs as an unprivileged user on a read-only file system, without development packages, and has a health check", async () => {
    const port = await findFreePort();
    const checkHealth = () =>
      promisify(execFile)("sh", [join(appFolder, "deploy/container.sh"), "check"], {
        env: { PORT: String(port) },
      });
    await expect(checkHealth()).rejects.toThrow();
    const { child, ended } = startContainer(port);
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
    });
    let output = "";
    while (!output.includes("is running at")) {
      const [chunk] = await Promise.race([once(child.stdout, "data"), ended]);
      expect(child.exitCode, output + log).toBeNull();
      output += chunk;
    }
    expect(output).not.toContain("Building");
    await expect(checkHealth()).resolves.toBeDefined();
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t10001\t10001\t/m);
    child.kill("SIGTERM");
    expect(await ended, log).toEqual([0, null]);
    expect(existsSync(join(appFolder, "node_modules/vitest"))).toBe(false);
  });

  it("explains if the checkout was not built", async () => {
    await rename(join(appFolder, "build"), join(folder.path, "build"));
    const { child, ended } = startContainer(0);
    try {
      const output = await text(child.stderr);
      expect(await ended).toEqual([1, null]);
      expect(output).toMatch(
        /^This checkout has not been built, and you do not have permission to write to .*\. Run "npm run build" in .*\.\n$/,
      );
    } finally {
      await rename(join(folder.path, "build"), join(appFolder, "build"));
    }
  });
});
