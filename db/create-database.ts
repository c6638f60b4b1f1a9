import { createPglite, storedOnDisk } from "./pglite.ts";

/** A program that creates an empty built-in database in a folder: db/client.ts runs it. */

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Which folder?");
const client = await createPglite({ dataDir: folder, startParams: storedOnDisk });
await client.close();
