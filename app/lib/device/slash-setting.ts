import { createDeviceValue } from "./device-value.ts";

/** Whether the reader has turned off the `/` key. By default, nothing is stored. */
export const slashKeyOff = createDeviceValue("search.slashOff", false, Boolean);
