import { readMigrationFiles } from "drizzle-orm/migrator";
import { expect, it } from "vitest";

it("migrations are in the order of their times, because the migrator skips older ones", () => {
  const times = readMigrationFiles({ migrationsFolder: "db/migrations" }).map(
    ({ folderMillis }) => folderMillis,
  );
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
});
