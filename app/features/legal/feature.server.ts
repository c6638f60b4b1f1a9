import type { Feature } from "../../platform/feature.ts";
import type { PageText } from "../../platform/search-document.ts";
import type { ValueOf } from "../../site-files/site-file.server.ts";
import { privacyFile, termsFile } from "./files.server.ts";

const toPageText = ({ front, html }: ValueOf<typeof privacyFile>): PageText => ({
  title: front.title,
  summary: front.description,
  source: { format: "html", text: html },
});

export const legal: Feature = {
  name: "legal",
  files: [privacyFile, termsFile],
  pages: (site) => ({
    "/privacy": toPageText(site.read(privacyFile)),
    "/terms": toPageText(site.read(termsFile)),
  }),
};
