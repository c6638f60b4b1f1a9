import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Outcome, Session, Transport } from "./transport.server.ts";

const responseTimeoutMs = 15_000;
/** A mail server may need minutes to check an email before it accepts it (RFC 5321 4.5.3.2.6). */
const idleTimeoutMs = 120_000;
const maxConnections = 4;

/**
 * Compares the entire host name, because 127.example.com may be anywhere. The URL parser writes an
 * IPv4 address as four numbers.
 */
export const isThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

/** The URL is smtp://user:password@host:587, or smtps:// for TLS from the first byte. */
export function createSmtpTransport(url: URL, probeMs = defaultProbeMs): Transport {
  const { hostname, port, protocol, username, password } = url;
  const secure = protocol === "smtps:";
  const login = username
    ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    : null;
  const isLocal = isThisMachine(hostname);
  const options = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password is never sent unencrypted over a network.
    requireTLS: login !== null && !isLocal,
    connectionTimeout: responseTimeoutMs,
    greetingTimeout: responseTimeoutMs,
    socketTimeout: idleTimeoutMs,
  };
  return {
    kind: "smtp",
    maxConnections,
    async open() {
      const connection = new SMTPConnection(options);
      try {
        await runStep(connection, (done) => connection.connect(done));
        if (login)
          await runStep(connection, (done) => connection.login({ credentials: login }, done));
      } catch (error) {
        connection.close();
        return { session: null, error: errorText(error) };
      }
      return { session: createSession(connection, probeMs) };
    },
  };
}

/** Runs one step of the SMTP dialog. Fails if the server closes the connection. */
function runStep(
  connection: SMTPConnection,
  step: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClosed = (error = new Error("The mail server closed the connection.")) => reject(error);
    connection.once("error", onClosed);
    connection.once("end", onClosed);
    step((error) => {
      connection.off("error", onClosed);
      connection.off("end", onClosed);
      if (error) reject(error);
      else resolve();
    });
  });
}

/**
 * How many of the last bytes of an email are held back until the email is marked as sending and the
 * connection has been checked.
 */
const heldBackBytes = 8;
/** How long we wait before the last bytes, to notice that the mail server has crashed. */
const defaultProbeMs = 50;

function createSession(connection: SMTPConnection, probeMs: number): Session {
  // Errors while sending are reported to the caller; errors between two emails can be ignored.
  connection.on("error", () => {});
  let isReusable = true;
  return {
    async deliver({ from, to, content }, commit) {
      let isHandedOver = false;
      let isCommitted = true;
      // An SMTP server does not respond before the end of an email. If it has crashed in the
      // meantime, the connection closes within a moment. An email whose end was not sent was
      // certainly not accepted (RFC 5321 4.1.1.4), and can be sent again.
      const body = Readable.from(
        (async function* () {
          yield content.subarray(0, -heldBackBytes);
          const [maySend] = await Promise.all([commit(), pause(probeMs)]);
          isCommitted = maySend;
          if (!maySend) throw new Error("Another process has claimed this email.");
          isHandedOver = true;
          yield content.subarray(-heldBackBytes);
        })(),
      );
      const outcome = await new Promise<Outcome>((resolve) => {
        connection.send({ from, to: [to], size: content.length }, body, (error) =>
          resolve(error ? toOutcome(error, isHandedOver) : { kind: "sent" }),
        );
      });
      isReusable = outcome.kind === "sent";
      return isCommitted ? outcome : null;
    },
    close() {
      // In the middle of an email, the server would take QUIT for a line of the email.
      if (isReusable) connection.quit();
      else connection.close();
    },
  };
}

/**
 * An error about the recipient or the email is permanent. An error about the server or the sender
 * is not.
 */
function toOutcome(error: Error, isHandedOver: boolean): Outcome {
  const message = errorText(error);
  const code = Number(Reflect.get(error, "responseCode"));
  const command = Reflect.get(error, "command");
  if (code >= 500 && command === "RCPT TO")
    return {
      kind: isRecipientError(String(Reflect.get(error, "response"))) ? "bounced" : "refused",
      error: message,
    };
  if (code >= 500) return { kind: command === "DATA" ? "refused" : "later", error: message };
  if (code >= 400) return { kind: "later", error: message };
  // The address or the size was rejected before anything was sent.
  if (["EENVELOPE", "EMESSAGE"].includes(Reflect.get(error, "code")))
    return { kind: "refused", error: message };
  return { kind: isHandedOver ? "unclear" : "later", error: message };
}

/** Status codes (RFC 3463 3.2 and 3.3) about the recipient, not about the sender or the email. */
const recipientStatusPattern = /^5\d\d[ -]5\.(?:1\.(?:[0-6]|10)|2\.[0-2])(?!\d)/;
const anyStatusPattern = /^5\d\d[ -]5\.\d{1,3}\.\d{1,3}(?!\d)/;
/** Reply codes for mailboxes: unavailable, not local, name not allowed (RFC 5321 4.2.2). */
const recipientCodePattern = /^55[013](?!\d)/;

/**
 * Whether the mailbox does not exist or is full. A server that blocks the sender refuses recipients
 * as well, but usually with another status, such as 5.7.1.
 */
export const isRecipientError = (response: string): boolean =>
  anyStatusPattern.test(response)
    ? recipientStatusPattern.test(response)
    : recipientCodePattern.test(response);

const maxErrorLength = 300;

const errorText = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
