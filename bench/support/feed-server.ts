// Serves a thousand feeds of 50 items on one port, at /0 and so on, for bench/interference.ts; any
// other path is a feed without news. Sends its port to its parent and exits with it.
import { createServer } from "node:http";
import { createRss } from "../../tests/support/feed-server.ts";
import { createFeedText } from "./feed-texts.ts";

const emptyFeed = createRss("quiet.example", []);

const server = createServer((request, response) => {
  const number = Number(request.url?.slice(1));
  response.end(Number.isInteger(number) ? createFeedText(number) : emptyFeed);
});
server.listen(0, "0.0.0.0", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
process.on("disconnect", () => process.exit());
