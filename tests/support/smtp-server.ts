import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/**
 * What the server does with a mail to somebody: `hang up` in its middle, `silence` after its end.
 */
type Behavior = "accept" | "refuse" | "refuse us" | "greylist" | "hang up" | "silence";

export type TestSmtpServer = {
  url: string;
  /** What it has taken, in order. Mails that it did not say yes to are in `heard` only. */
  accepted: { to: string; content: string }[];
  received: { to: string; content: string }[];
  /** How it treats the next mails. */
  behavior(to: string): Behavior;
  close(): Promise<void>;
};

const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/** A real mail server on this machine that behaves as a test wants it to. */
export async function startSmtpServer(
  manner: TestSmtpServer["behavior"] = () => "accept",
  port = 0,
): Promise<TestSmtpServer> {
  const [taken, heard]: TestSmtpServer["accepted"][] = [[], []];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onMailFrom: (_address, _session, done) =>
      done(self.behavior("") === "refuse us" ? smtpError(550, "Who are you?") : null),
    onRcptTo({ address }, _session, done) {
      if (self.behavior(address) === "refuse") done(smtpError(550, "No such reader here"));
      else if (self.behavior(address) === "greylist")
        done(smtpError(451, "Please come back later"));
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
      // Null when the sender is gone before the mail's end.
      const content = await buffer(stream).then(String, () => null);
      if (content === null) return;
      heard?.push({ to, content });
      if (self.behavior(to) === "silence") return hangUp();
      taken?.push({ to, content });
      done();
    },
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const self: TestSmtpServer = {
    url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    accepted: taken ?? [],
    received: heard ?? [],
    behavior: manner,
    async close() {
      for (const connection of server.connections) connection._socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
  return self;
}
