import { createPglite, durableStartParams } from "./pglite/open.ts";

// A program that creates an empty built-in database. db/pglite/empty-database.ts runs it.

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("The argument is missing: the folder for the database.");
// Without this setting initdb would use 128 MB of shared buffers.
const initDbStartParams = ["-c", "shared_buffers=16MB"];
const client = await createPglite({
  dataDir: folder,
  startParams: durableStartParams,
  initDbStartParams,
});
await client.close();
