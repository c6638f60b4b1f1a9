import manifest from "../package.json" with { type: "json" };

/** Which Harborline this is. */
export const version: string = manifest.version;
