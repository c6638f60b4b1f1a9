import { createDeviceValue } from "../../lib/device/device-value.ts";
import { maxSlugLength, slugPattern } from "./model.ts";

/** The slug of the neighborhood that the reader has chosen as their own. */
export const ownPlace = createDeviceValue<string | null>("places.own", null, (stored) =>
  typeof stored === "string" && stored.length <= maxSlugLength && slugPattern.test(stored)
    ? stored
    : null,
);
