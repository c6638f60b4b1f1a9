import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/**
 * What the server does with an email: `hang up` closes the connection in the middle of the email,
 * `silence` closes the connection after the end of the email, without a reply, and `stall` keeps it
 * open without a reply.
 */
type Behavior = "accept" | "refuse" | "refuse us" | "greylist" | "hang up" | "silence" | "stall";

export type TestSmtpServer = {
  url: string;
  /**
   * The emails that the server accepted, in order. Emails that it received but did not accept are
   * only in `received`.
   */
  accepted: { to: string; content: string }[];
  received: { to: string; content: string }[];
  /** What the server does with the next emails. */
  behavior(to: string): Behavior;
  close(): Promise<void>;
};

const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** Starts a real mail server on this machine. The test decides how it behaves. */
export async function startSmtpServer(
  behavior: TestSmtpServer["behavior"] = () => "accept",
  port = 0,
): Promise<TestSmtpServer> {
  const [accepted, received]: TestSmtpServer["accepted"][] = [[], []];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onMailFrom: (_address, _session, done) =>
      done(
        self.behavior("") === "refuse us" ? smtpError(550, "We do not accept mail from you") : null,
      ),
    onRcptTo({ address }, _session, done) {
      if (self.behavior(address) === "refuse") done(smtpError(550, "No such mailbox"));
      else if (self.behavior(address) === "greylist") done(smtpError(451, "Try again later"));
      else done();
    },
    async onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      const hangUp = () => {
        for (const connection of server.connections)
          if (connection.session.id === session.id) connection._socket.destroy();
      };
      if (self.behavior(to) === "hang up") {
        stream.once("data", hangUp);
        stream.resume();
        return;
      }
      // The content is null if the sender disconnected before the end of the email.
      const content = await buffer(stream).then(String, () => null);
      if (content === null) return;
      received?.push({ to, content });
      const behavior = self.behavior(to);
      if (behavior === "silence") return hangUp();
      if (behavior === "stall") return;
      accepted?.push({ to, content });
      done();
    },
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const self: TestSmtpServer = {
    url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    accepted: accepted ?? [],
    received: received ?? [],
    behavior,
    async close() {
      for (const connection of server.connections) connection._socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
  return self;
}
