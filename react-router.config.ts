import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole route table travels with the first page: no second request before a link works.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
