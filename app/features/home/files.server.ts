import { z } from "zod";
import { outsideLink, picture, text, videoFields } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const homeFile = siteFile(
  "home.yaml",
  z.strictObject({
    title: text,
    hero: z.strictObject({ headline: text, tagline: text, image: picture }),
    video: videoFields,
    /** The names of files in news/ and events/, without their ending. */
    featured: z.array(text).length(3),
    community: z.array(text).length(2),
    events: z.array(text).min(1),
    fact: z.strictObject({ text, image: picture, link: outsideLink }),
  }),
);

export type Home = ValueOf<typeof homeFile>;

/** Stories and events that the front page names and that are not there. */
export function missingNames({ featured, community, events }: Home, stories: string[], calendar: string[]) {
  const lists = [
    { field: "featured", names: featured, folder: "news", there: stories },
    { field: "community", names: community, folder: "news", there: stories },
    { field: "events", names: events, folder: "events", there: calendar },
  ];
  return lists.flatMap(({ field, names, folder, there }) =>
    names
      .filter((name) => !there.includes(name))
      .map((name) => ({ field, message: `there is no good ${folder}/${name}.md` })),
  );
}
