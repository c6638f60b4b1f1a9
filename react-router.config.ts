import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Set by server/process/build.ts, which gives every version of the sources a folder of its own.
  buildDirectory: process.env.BUILD_DIR ?? "build/unfinished",
  // The whole route table travels with the first page: no second request before a link works.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
