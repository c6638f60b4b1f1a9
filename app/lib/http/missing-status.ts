/** There is no page (404), or no longer a page (410). */
export const isMissing = (status: number): boolean => status === 404 || status === 410;
