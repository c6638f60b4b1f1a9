import type { PageServices } from "../../../platform/services.ts";
import { withoutTakenDown } from "../../file-notes/taken-down.server.ts";
import { goodToKnowFile } from "../files.server.ts";

/** The good-to-know lists of the city, without items about something that was taken down. */
export async function readGoodToKnow(services: Pick<PageServices, "site" | "db" | "tags">) {
  const lists = Object.entries(services.site.read(goodToKnowFile));
  return Object.fromEntries(
    await Promise.all(
      lists.map(
        async ([id, items]) =>
          [id, await withoutTakenDown(services, items, ({ link }) => link)] as const,
      ),
    ),
  );
}
