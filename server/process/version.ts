import manifest from "../../package.json" with { type: "json" };

/** Which Harborline this is. */
export const version: string = manifest.version;

/** The oldest Node that runs it. */
export const minNodeVersion: string = manifest.engines.node.replace(">=", "");
