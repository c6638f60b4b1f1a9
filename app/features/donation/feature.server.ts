import type { Feature } from "../../platform/feature.ts";
import { donationFile } from "./files.server.ts";

export const donation: Feature = {
  name: "donation",
  files: [donationFile],
  launch: (site) =>
    site.read(donationFile)
      ? []
      : [
          {
            file: donationFile.path,
            at: null,
            message: "does not exist, so the site does not ask for donations.",
            fix: "Write frequency, heading, text and url, as sites/baltimore/donation.yaml does.",
            isOptional: true,
          },
        ],
};
