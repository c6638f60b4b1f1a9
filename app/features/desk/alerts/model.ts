export const deskAlertsPath = "/desk/alerts";

/** The buttons. The first two put up what the editor typed. */
export const alertActions = ["notice", "urgent", "extend", "end", "approve", "hide"] as const;

/** The fields of a new alert as the editor filled them in. */
export type TypedAlert = { text: string; link: string; hours: string; until: string };
