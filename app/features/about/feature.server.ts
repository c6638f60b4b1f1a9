import type { Feature } from "../../platform/feature.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import { aboutFile } from "./files.server.ts";

export const about: Feature = {
  name: "about",
  files: [aboutFile],
  launch(site) {
    if (site.read(aboutFile).team) return [];
    const message = "does not say who runs the site.";
    const fix = "Add team: with a heading and members.";
    return [{ file: aboutFile.path, at: null, message, fix }];
  },
  pages(site) {
    const { name, shortName, network } = site.read(siteSettingsFile);
    const { title, heading, description, mission, story, team, values, support } =
      site.read(aboutFile);
    return {
      "/about": {
        title: heading,
        aliases: [title, name, shortName, network.name, "About us"],
        summary: description,
        body: [
          ...mission.paragraphs,
          ...story.paragraphs,
          ...(team?.members ?? []).flatMap((member) => [member.name, member.role, member.text]),
          ...values.items.flatMap((item) => [item.name, item.text]),
        ].join(" "),
      },
      // A search for "donate" finds this part of the page; the donation pop-up has no URL.
      "/about#support": {
        title: support.heading,
        aliases: ["Donate", "Donation"],
        summary: support.text,
      },
    };
  },
};
