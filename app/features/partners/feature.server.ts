import type { Feature } from "../../platform/feature.ts";
import { checkFrameHost } from "../embeds/check.server.ts";
import { driveUrl, partnersFile } from "./files.server.ts";

export const partners: Feature = {
  name: "partners",
  files: [partnersFile],
  launch(site) {
    if (site.read(partnersFile).documents.items.length > 0) return [];
    const at = ["documents", "items"];
    const message = "lists no documents.";
    const fix = "Add your documents, or remove the links to /partners from navigation.yaml.";
    return [{ file: partnersFile.path, at, message, fix, isOptional: true }];
  },
  checks: [
    (city) =>
      (city.read(partnersFile)?.documents.items ?? []).flatMap(({ drive }, index) => {
        const at = ["documents", "items", index, "drive"];
        const file = partnersFile.path;
        return drive === undefined
          ? []
          : checkFrameHost(city, { file, at, field: "drive", url: driveUrl });
      }),
  ],
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
