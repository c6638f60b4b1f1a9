import { describe, expect, it } from "vitest";
import { endlessText, runUntilTooSlow } from "../../../../tests/support/worker-pool.ts";
import { createLog } from "../../../lib/log.ts";
import { readBodies, type UnreadDocument } from "./documents.server.ts";

const lines: string[] = [];
const services = {
  runInWorker: runUntilTooSlow,
  log: createLog({ write: (line) => lines.push(line) }),
};

const createPost = (id: string, text: string): UnreadDocument => ({
  id,
  kind: "blog",
  link: `/blog/${id}`,
  title: id,
  version: `version of ${id}`,
  aliases: "",
  detail: "",
  summary: "",
  body: "",
  keywords: "",
  at: null,
  isSample: false,
  source: { format: "markdown", text },
});

describe("the texts of searchable documents", () => {
  it("are read, and only the text that takes too long to read is left out", async () => {
    const plainDocument = { ...createPost("faq", ""), source: null, body: "already plain" };
    const documents = await readBodies(services, [
      createPost("harbor", "The **harbor** is [open](https://a.example/)."),
      createPost("endless", `Here ${endlessText}.`),
      plainDocument,
      createPost("market", "# The market"),
    ]);
    expect(documents.map(({ id, body }) => [id, body])).toEqual([
      ["harbor", "The harbor is open."],
      ["endless", ""],
      ["faq", "already plain"],
      ["market", "The market"],
    ]);
    // The document has its version, so it is not read again until it changes.
    expect(documents[1]?.version).toBe("version of endless");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: "search.text_not_read", document: "endless", cause: "too-slow" },
    ]);
  });
});
