// Serves a thousand feeds on one port for bench/feeds.ts. Prints its port; exits with its parent.
import { createServer } from "node:http";
import { createFeedText } from "./feed-texts.ts";

const server = createServer((request, response) => {
  const number = Number(request.url?.slice(1));
  const etag = `"${number}"`;
  if (request.headers["if-none-match"] === etag) return response.writeHead(304).end();
  response.setHeader("ETag", etag).end(createFeedText(number));
});
server.listen(0, "0.0.0.0", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : "");
});
process.on("disconnect", () => process.exit());
