import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Outcome, Session, Transport } from "./transport.server.ts";

const responseTimeoutMs = 15_000;
/**
 * A server may look at a mail for long before it says yes (RFC 5321 4.5.3.2.6 allows ten minutes).
 */
const idleTimeoutMs = 120_000;
const maxConnections = 4;

/**
 * The whole name counts: localhost.example.com and 127.example.com may be anywhere. URLs write IPv4
 * in four numbers.
 */
export const isThisMachine = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

type Login = { user: string; pass: string };

/**
 * A mail server by its address: smtp://user:password@host:587, or smtps:// for TLS from the first
 * byte on.
 */
export function createSmtpTransport(url: URL, lookForMs = defaultProbeMs): Transport {
  const { hostname, port, protocol, username, password } = url;
  const secure = protocol === "smtps:";
  const login = username
    ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    : null;
  const isHere = isThisMachine(hostname);
  const options = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password never crosses a network in the open.
    requireTLS: login !== null && !isHere,
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
        if (login) await runStep(connection, (done) => logIn(connection, login, done));
      } catch (error) {
        connection.close();
        return { session: null, error: errorText(error) };
      }
      return { session: createSession(connection, lookForMs) };
    },
    deleteFilesBefore: async () => 0,
    deleteFiles: async () => {},
  };
}

const logIn = (connection: SMTPConnection, login: Login, done: (error?: Error | null) => void) =>
  connection.login({ credentials: login }, done);

/** A step of the conversation, which the server may also end by hanging up. */
function runStep(
  connection: SMTPConnection,
  step: (done: (error?: Error | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const hungUp = (error = new Error("The server hung up.")) => reject(error);
    connection.once("error", hungUp);
    connection.once("end", hungUp);
    step((error) => {
      connection.off("error", hungUp);
      connection.off("end", hungUp);
      if (error) reject(error);
      else resolve();
    });
  });
}

/**
 * So much of a mail is held back until its sending is noted, and the server is seen to be still
 * there.
 */
const heldBackBytes = 8;
const defaultProbeMs = 50;

function createSession(connection: SMTPConnection, lookForMs: number): Session {
  // Whoever is sending hears of it; between two mails nobody needs to.
  connection.on("error", () => {});
  let isInOrder = true;
  return {
    async deliver({ from, to, content }, commit) {
      let isHandedOver = false;
      let isOurs = true;
      // SMTP says nothing until a mail's end. A server that died meanwhile shows as a closed
      // connection within a moment; a mail whose end was not sent was surely not taken (RFC 5321
      // 4.1.1.4), and may be sent again.
      const body = Readable.from(
        (async function* () {
          yield content.subarray(0, -heldBackBytes);
          const [mayGo] = await Promise.all([commit(), pause(lookForMs)]);
          isOurs = mayGo;
          if (!mayGo) throw new Error("Somebody else has this mail.");
          isHandedOver = true;
          yield content.subarray(-heldBackBytes);
        })(),
      );
      const outcome = await new Promise<Outcome>((resolve) => {
        connection.send({ from, to: [to], size: content.length }, body, (error) =>
          resolve(error ? toOutcome(error, isHandedOver) : { kind: "sent" }),
        );
      });
      isInOrder = outcome.kind === "sent";
      return isOurs ? outcome : null;
    },
    close() {
      // In the middle of a mail a QUIT would be one of its lines.
      if (isInOrder) connection.quit();
      else connection.close();
    },
  };
}

/**
 * What the server says of the recipient or of the mail is final; what it says of itself or of us is
 * not.
 */
function toOutcome(error: Error, isHandedOver: boolean): Outcome {
  const fault = errorText(error);
  const [code, command] = [
    Number(Reflect.get(error, "responseCode")),
    Reflect.get(error, "command"),
  ];
  if (code >= 500 && command === "RCPT TO")
    return {
      kind: isRecipientError(String(Reflect.get(error, "response"))) ? "bounced" : "refused",
      error: fault,
    };
  if (code >= 500) return { kind: command === "DATA" ? "refused" : "later", error: fault };
  if (code >= 400) return { kind: "later", error: fault };
  // An address or a size that no server was even asked about.
  if (["EENVELOPE", "EMESSAGE"].includes(Reflect.get(error, "code")))
    return { kind: "refused", error: fault };
  return { kind: isHandedOver ? "unclear" : "later", error: fault };
}

/**
 * Addressing and mailbox status (RFC 3463 3.2 and 3.3) that is about the recipient, not the sender
 * or the mail.
 */
const recipientStatus = /^5\d\d[ -]5\.(?:1\.(?:[0-6]|10)|2\.[0-2])(?!\d)/;
const anyStatus = /^5\d\d[ -]5\.\d{1,3}\.\d{1,3}(?!\d)/;
/** Mailbox unavailable, not local, not allowed (RFC 5321 4.2.2). */
const recipientCode = /^55[013](?!\d)/;

/**
 * Whether a server says that there is no such mailbox. A server that blocks the sender refuses
 * recipients as well, but usually with a status of its own, such as 5.7.1.
 */
export const isRecipientError = (response: string): boolean =>
  anyStatus.test(response) ? recipientStatus.test(response) : recipientCode.test(response);

const maxErrorLength = 300;

const errorText = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
