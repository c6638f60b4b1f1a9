import type { Feature } from "../../platform/feature.ts";
import { adsFile } from "./files.server.ts";

export const ads: Feature = { name: "ads", files: [adsFile] };
