import { createMemoryValue } from "../lib/device/device-value.ts";

export type Toast = { text: string; link?: { to: string; label: string } };

export const currentToast = createMemoryValue<Toast | null>(null);

/** Shows a message at the bottom of the page, for a few seconds. */
export const showToast = (toast: Toast) => currentToast.write(toast);
