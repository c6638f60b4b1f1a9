import type { Feature } from "../../platform/feature.ts";
import { partnersFile } from "./files.server.ts";

export const partners: Feature = {
  name: "partners",
  files: [partnersFile],
  pages(site) {
    const { title, description, hero, documents } = site.read(partnersFile);
    const texts = documents.items.flatMap((item) => [item.title, item.subject]);
    return {
      "/partners": {
        title,
        summary: description,
        body: [hero.text, documents.text, ...texts].join(" "),
      },
    };
  },
};
