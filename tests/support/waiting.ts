import { contactMessages } from "../../app/features/contact/schema.server.ts";
import { openDatabase } from "../../db/client.ts";
import { runInServer } from "./newsroom.ts";

export const deskYaml = "editors:\n  - { name: Ana Reyes, email: ana@example.com }\n";

/** Stores messages that wait for an editor, before a server uses the data folder. */
export async function storeMessages(
  dataDir: string,
  count: number,
  createdAt: Date,
): Promise<void> {
  const { db, close } = await openDatabase({ dataDir, onError: console.error });
  const message = "The pier is dark, and has been dark for weeks. ".repeat(20);
  const shared = { category: "other", name: "Bo", email: "bo@example.com", message, createdAt };
  await db.insert(contactMessages).values(
    Array.from({ length: count }, (_, index) => ({
      ...shared,
      key: `message ${index}`,
      state: "waiting" as const,
    })),
  );
  await close();
}

/** The path of a new link with which the editor of `deskYaml` signs in. */
export async function createSignInPath(dataDir: string): Promise<string> {
  const { output } = await runInServer(dataDir, ["desk", "link", "ana", "--json"]);
  const { pathname, search } = new URL(JSON.parse(output).link);
  return pathname + search;
}
