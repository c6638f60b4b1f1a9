import type { Feature } from "../../platform/feature.ts";
import { embedsFile } from "./files.server.ts";

export { embedsFile, frameSources } from "./files.server.ts";

export const embeds: Feature = { name: "embeds", files: [embedsFile] };
