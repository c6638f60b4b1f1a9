export const maxTitleLength = 150;
export const maxCategoryLength = 40;
export const maxStoryLength = 20_000;
export const maxNameLength = 100;
export const maxAltLength = 300;

/**
 * How long a story waits before it is deleted unread, and how long one that was not taken is kept.
 */
export const waitingLifetimeDays = 90;
export const rejectedLifetimeDays = 30;

/** More than these no newsroom reads; a story on top is asked to come later. */
export const maxWaiting = 500;

export const maxImages = 3;
export const maxImageMegabytes = 8;
export const maxImageBytes = maxImageMegabytes * 1024 * 1024;
/**
 * In millions. A camera of today takes 50; what has more is made to fill our memory, which AVIF
 * does with far less.
 */
export const maxMegapixels = 50;
export const maxAvifMegapixels = 16;
/**
 * What browsers offer to choose. Phones turn their own format (HEIC) into JPEG when they see this
 * list.
 */
export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"];

/**
 * The numbers of the pictures, which are part of their fields' names: picture1 and alt1 belong
 * together.
 */
export const imageNumbers = Array.from({ length: maxImages }, (_, index) => index + 1);
export const imageField = (number: number) => `picture${number}`;
export const altField = (number: number) => `alt${number}`;

export const submitPath = "/community/submit";
