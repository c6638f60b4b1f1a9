import type { Feature } from "../../platform/feature.ts";
import { deleteOldHourCounts } from "./hour-counts.server.ts";

export const forms: Feature = {
  name: "forms",
  retention: {
    async "hour counts"({ db, clock }) {
      await deleteOldHourCounts(db, clock);
      // Counts are deleted every hour, so their number is not worth a line in the log.
      return 0;
    },
  },
  derivedTables: ["hour_counts"],
};
