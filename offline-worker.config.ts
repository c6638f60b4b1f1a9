import { join } from "node:path";
import { defineConfig } from "vite";

/**
 * Builds the service worker. It is one classic script, because not all browsers support modules in
 * service workers.
 */
export default defineConfig({
  build: {
    outDir: join(process.env.BUILD_DIR ?? "build/unfinished", "client"),
    emptyOutDir: false,
    copyPublicDir: false,
    rollupOptions: {
      input: "app/features/offline/worker/worker.ts",
      output: { format: "iife", entryFileNames: "sw.js" },
    },
  },
});
