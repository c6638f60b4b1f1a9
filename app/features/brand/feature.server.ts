import type { Feature } from "../../platform/feature.ts";
import { contactFile } from "./contact-file.server.ts";
import { brandFile } from "./files.server.ts";

export { contactFile } from "./contact-file.server.ts";
export { brandFile } from "./files.server.ts";

export const brand: Feature = { name: "brand", files: [brandFile, contactFile] };
