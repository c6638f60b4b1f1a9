// The least that a Node server can do: it sends the same headers and body from memory to every
// client. Pages are compared to this server.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const file = process.env.PAGE_FILE ?? "";
const page = readFileSync(file);
/** Node adds these headers itself. */
const addedByNode = new Set(["Date", "Connection", "Keep-Alive"]);
const allHeaders: string[] = JSON.parse(readFileSync(`${file}.headers.json`, "utf8"));
const headers = allHeaders.filter(
  (_, index) => !addedByNode.has(allHeaders[index - (index % 2)] ?? ""),
);

const server = createServer((_, response) => response.writeHead(200, headers).end(page));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(
    `Bare node:http is running at http://localhost:${typeof address === "object" ? address?.port : ""}`,
  );
});
process.on("SIGTERM", () => process.exit(0));
