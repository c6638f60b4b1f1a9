import { createMemoryValue } from "../../lib/device/device-value.ts";

export type Notice = { text: string; link?: { to: string; label: string } };

export const currentNotice = createMemoryValue<Notice | null>(null);

/** Shows a message at the bottom of the page, for a few seconds. */
export const showNotice = (notice: Notice) => currentNotice.write(notice);
