import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Set by server/process/build.ts, which uses a separate folder for every version of the sources.
  buildDirectory: process.env.BUILD_DIR ?? "build/unfinished",
  // The first page includes the full route table, so that links work without a second request.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
