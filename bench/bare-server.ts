// The least a Node server can do: the same bytes from memory for whoever asks. What a page is compared with.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const page = readFileSync(process.env.PAGE_FILE ?? "");
const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Encoding": "br",
  "Content-Length": page.length,
};

const server = createServer((_, response) => response.writeHead(200, headers).end(page));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(`Bare node:http is open: http://localhost:${typeof address === "object" ? address?.port : ""}`);
});
process.on("SIGTERM", () => process.exit(0));
