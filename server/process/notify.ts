import { spawn } from "node:child_process";
import { errorFields, type Log } from "../../app/lib/log.ts";

/**
 * Tells systemd (Type=notify in deploy/harborline@.service) the state of this process. Node.js has no
 * Unix datagram sockets, so systemd's own program sends the message.
 */
export function notifySystemd(state: "READY=1" | "STOPPING=1" | "WATCHDOG=1", log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  const child = spawn("systemd-notify", [state], { stdio: "ignore" });
  // Without the message systemd stops the process after a timeout.
  child.once("error", (error) =>
    log.error("systemd.not_notified", { state, ...errorFields(error) }),
  );
  child.once("exit", (code) => {
    if (code !== 0) log.error("systemd.not_notified", { state, code });
  });
}

/** If a process is silent for WatchdogSec, its event loop is blocked, and systemd restarts it. */
export function keepNotifying(log: Log): void {
  const timeoutMs = Number(process.env.WATCHDOG_USEC ?? 0) / 1_000;
  if (timeoutMs > 0) setInterval(() => notifySystemd("WATCHDOG=1", log), timeoutMs / 3).unref();
}
