import { maxTextBytes } from "../../../lib/form.ts";

export const maxTitleLength = 150;
/** The category of a reader's story for which the editor chose none. */
export const defaultCategory = "Community";
export const maxStoryLength = 20_000;
export const maxNameLength = 100;
export const maxAltLength = 300;

/** How long we store a story that no editor approves or rejects. */
export const waitingRetentionDays = 90;
/** How long we store a story after an editor rejected it. */
export const rejectedRetentionDays = 30;

/** With this many stories waiting, the form asks readers to send theirs later. */
export const maxWaiting = 500;

export const maxImages = 3;
export const maxImageMegabytes = 8;
export const maxImageBytes = maxImageMegabytes * 1024 * 1024;
/** The images of a story, and its texts. */
export const maxFormBytes = maxImages * maxImageBytes + maxTextBytes;
/** Cameras have about 50 megapixels. An image with more is probably meant to exhaust our memory. */
export const maxMegapixels = 50;
/**
 * The types that the file dialog offers. Because HEIC is not in the list, phones convert their
 * photos to JPEG.
 */
export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif"];

export const imageField = "images";
/** The numbers of the images. alt1 is the description of the first file. */
export const imageNumbers = Array.from({ length: maxImages }, (_, index) => index + 1);
export const altField = (number: number) => `alt${number}` as const;

export const submitPath = "/community/submit";
