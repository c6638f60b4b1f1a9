import type { Feature } from "../../platform/feature.ts";
import { deleteOldVisitors } from "./rate-limit.server.ts";

export const forms: Feature = {
  name: "forms",
  retention: {
    async visitors({ db, clock }) {
      await deleteOldVisitors(db, clock);
      // Visitors are deleted every hour, so their number is not worth a line in the log.
      return 0;
    },
  },
  derivedTables: ["form_counts"],
};
