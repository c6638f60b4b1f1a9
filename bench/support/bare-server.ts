// The least a Node server can do: the same bytes, head and body, from memory for whoever asks. What
// a page is compared with.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const file = process.env.PAGE_FILE ?? "";
const page = readFileSync(file);
/** Node adds these three itself. */
const own = new Set(["Date", "Connection", "Keep-Alive"]);
const all: string[] = JSON.parse(readFileSync(`${file}.headers.json`, "utf8"));
const headers = all.filter((_, at) => !own.has(all[at - (at % 2)] ?? ""));

const server = createServer((_, response) => response.writeHead(200, headers).end(page));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(
    `Bare node:http is running at http://localhost:${typeof address === "object" ? address?.port : ""}`,
  );
});
process.on("SIGTERM", () => process.exit(0));
