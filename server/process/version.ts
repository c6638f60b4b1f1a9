import manifest from "../../package.json" with { type: "json" };

/** The version of Harborline. */
export const version: string = manifest.version;

/** The oldest version of Node that Harborline supports. */
export const minNodeVersion: string = manifest.engines.node.replace(">=", "");
