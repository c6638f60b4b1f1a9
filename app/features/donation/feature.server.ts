import type { Feature } from "../../platform/feature.ts";
import { donationFile } from "./files.server.ts";

export const donation: Feature = { name: "donation", files: [donationFile] };
