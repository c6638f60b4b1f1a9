/** There is no page (404), or no longer a page (410). */
export const missingStatuses = [404, 410];

export const isMissing = (status: number): boolean => missingStatuses.includes(status);
