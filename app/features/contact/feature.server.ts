import type { Feature } from "../../platform/feature.ts";
import { contactFile } from "../brand/contact-file.server.ts";
import { checkExternalContent } from "../embeds/check.server.ts";
import { tipCategory } from "../forms/model.ts";
import { contactPageFile } from "./files.server.ts";
import { deleteOldMessages, messageLimit } from "./messages.server.ts";

export const contact: Feature = {
  name: "contact",
  limits: [messageLimit],
  files: [contactPageFile],
  checks: [
    (city) => checkExternalContent(city, contactPageFile.path, city.read(contactPageFile)?.outside),
    // A city may have no category for tips, but a renamed one would silently lose its protection.
    (city) => {
      const page = city.read(contactPageFile);
      if (!page || page.form.categories.some(({ value }) => value === tipCategory)) return [];
      return [
        {
          file: contactPageFile.path,
          at: ["form", "categories"],
          field: "form.categories",
          message: `has no \`value: ${tipCategory}\`: only messages with this value go to the email address for tips and are never stored on the reader's device`,
          isNote: true,
        },
      ];
    },
  ],
  retention: { messages: ({ db, clock }) => deleteOldMessages(db, clock) },
  pages(site) {
    const { email, tips, office, newsDesk, address, hours } = site.read(contactFile);
    const { title, heading, description, intro, labels, confidential } = site.read(contactPageFile);
    const details = [
      ...Object.values(labels),
      email,
      tips,
      office,
      newsDesk,
      address?.street,
      address?.city,
      hours,
    ];
    return {
      "/contact": {
        title,
        aliases: [heading, "Phone number", "Email address", "Address", "Opening hours"],
        summary: description,
        body: [intro, ...details, confidential.heading, ...confidential.paragraphs]
          .filter(Boolean)
          .join(" "),
      },
    };
  },
};
