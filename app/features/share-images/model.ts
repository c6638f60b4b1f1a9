export type ShareImage = { path: string; alt: string; width: number; height: number };

/** The size that social networks recommend for the image of a link, in pixels. */
export const shareImageSize = { width: 1200, height: 630 } as const;

/** The part of a share image that shows a drawing or photo. */
export const imagePanel = { left: 648, top: 0, width: 552, height: 630 } as const;

/** The place of the site's mark, beside its name. */
export const markPlace = { left: 64, top: 60, width: 48, height: 48 } as const;
