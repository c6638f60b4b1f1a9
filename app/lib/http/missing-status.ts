/** Whether there is no page, or no longer a page (410). */
export const isMissing = (status: number): boolean => status === 404 || status === 410;
