/** Whether a value of unknown form, such as a response or a stored value, has fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
