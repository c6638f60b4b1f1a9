import { spawn } from "node:child_process";
import { errorFields, type Log } from "../../app/lib/log.ts";

/**
 * Tells systemd (Type=notify in deploy/harborline@.service) that this process is ready, stopping or
 * alive. Node.js has no Unix datagram sockets, so systemd's own program sends the message. Does
 * nothing under any other service manager.
 */
export function notifySystemd(state: "READY=1" | "STOPPING=1" | "WATCHDOG=1", log: Log): void {
  if (!process.env.NOTIFY_SOCKET) return;
  const child = spawn("systemd-notify", [state], { stdio: "ignore" });
  // Without the message systemd ends a start after its timeout, and the reason has to be in the
  // log.
  child.once("error", (error) =>
    log.error("systemd.not_notified", { state, ...errorFields(error) }),
  );
  child.once("exit", (code) => {
    if (code !== 0) log.error("systemd.not_notified", { state, code });
  });
}

/**
 * systemd restarts a process that it has not heard from for WatchdogSec: its event loop has
 * stopped.
 */
export function keepNotifying(log: Log): void {
  const withinMs = Number(process.env.WATCHDOG_USEC ?? 0) / 1_000;
  if (withinMs > 0) setInterval(() => notifySystemd("WATCHDOG=1", log), withinMs / 3).unref();
}
