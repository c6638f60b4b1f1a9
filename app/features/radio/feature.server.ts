import type { Feature } from "../../platform/feature.ts";
import { radioFile } from "./files.server.ts";

export { streamPath, streamPort, titlePath } from "./model.ts";

export const radio: Feature = {
  name: "radio",
  part: "radio",
  files: [radioFile],
  launch: (site) =>
    site.read(radioFile).schedule?.sample
      ? [
          {
            file: radioFile.path,
            at: ["schedule", "sample"],
            message: "says that the schedule is a sample.",
            fix: "Write the real programs and remove this line, or delete the schedule.",
          },
        ]
      : [],
  pages(site) {
    const { title, station, subtitle, description } = site.read(radioFile);
    return {
      "/radio": { title, aliases: [station], summary: description, body: `${station} ${subtitle}` },
    };
  },
};
