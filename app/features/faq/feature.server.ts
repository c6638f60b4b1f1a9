import type { Feature } from "../../platform/feature.ts";
import { faqFile } from "./files.server.ts";

export const faq: Feature = {
  name: "faq",
  files: [faqFile],
  pages(site) {
    const { title, description, intro } = site.read(faqFile);
    return { "/faq": { title, summary: description, body: intro } };
  },
  documents: {
    list: async ({ site }) =>
      site.read(faqFile).categories.flatMap(({ name, questions }) =>
        questions.map(({ id, question, answer }) => ({
          id: `faq:${id}`,
          kind: "faq",
          link: `/faq#${id}`,
          title: question,
          detail: name,
          source: { format: "html", text: answer },
        })),
      ),
  },
};
