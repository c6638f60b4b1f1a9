/** Whether there is no page, or no longer a page (410). Readers see the same for both. */
export const isMissing = (status: number): boolean => status === 404 || status === 410;
