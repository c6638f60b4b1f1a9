export const deskAlertsPath = "/desk/alerts";

/** The buttons. The first two put up what the editor typed. */
export const alertActions = [
  "notice",
  "urgent",
  "extend",
  "change",
  "end",
  "approve",
  "hide",
] as const;

/** The fields of a new alert as the editor filled them in. */
export type TypedAlert = { text: string; link: string; hours: string; until: string };

/** What is wrong with a form, and what the editor typed. */
export type RefusedAlert = {
  message: string;
  typed: TypedAlert;
  /** The alert that the editor wanted to change. Empty for a new one. */
  id: string;
};
