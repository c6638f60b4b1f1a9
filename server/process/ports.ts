import { createServer, type Server } from "node:net";
import { hasErrorCode } from "../../app/lib/error-code.ts";
import { errorMessage } from "../../app/lib/log.ts";
import { findSystemMessage } from "../../app/lib/system-error.server.ts";
import { SetupError } from "./setup-error.ts";

type Address = { host: string; port: number };

/** Opens the port (0 for any free port) and returns the URL to open in a browser. */
export function listen(server: Server, { host, port }: Address, setting = "PORT"): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(toPortError(error, { host, port }, setting)));
    // The queue of new connections is long, because thousands of readers may connect at the same
    // moment.
    server.listen({ port, host, backlog: 4_096 }, () => {
      const address = server.address();
      const name = host === "127.0.0.1" ? "localhost" : host.includes(":") ? `[${host}]` : host;
      resolve(
        `http://${name}:${typeof address === "object" && address !== null ? address.port : port}`,
      );
    });
  });
}

/** Fails if the port cannot be opened. A server checks this before it opens the database. */
export async function requirePort(address: Address, setting?: string): Promise<void> {
  const server = createServer();
  await listen(server, address, setting);
  await new Promise((resolve) => server.close(resolve));
}

function toPortError(error: unknown, { host, port }: Address, setting: string): SetupError {
  if (hasErrorCode(error, "EADDRINUSE"))
    return new SetupError(
      setting === "PORT"
        ? `Port ${port} is already in use. Choose another port: PORT=${port + 1} npm start`
        : `Port ${port} is already in use. Set ${setting} to another port.`,
    );
  return new SetupError(
    `Could not listen on HOST ${host}, ${setting} ${port}: ${findSystemMessage(error) ?? errorMessage(error)}. HOST must be an IP address of this machine, and a port below 1024 needs permission.`,
  );
}
