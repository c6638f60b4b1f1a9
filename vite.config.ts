import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Packages that load files or optional modules at run time, which a bundle would not contain. */
const unbundledPackages = ["@electric-sql/pglite", "pg", "pg-boss", "sharp"];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    // Inlined assets are data: URLs, which the Content-Security-Policy would have to allow.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: {
            // Pages share a few larger files, because a dozen small files per page would each cost
            // a request.
            codeSplitting: {
              groups: [
                { name: "react-dom", test: /node_modules\/(react-dom|scheduler)\// },
                { name: "router", test: /node_modules\/(?!@tanstack\/)/ },
                {
                  name: "shared",
                  test: /\/app\/(ui|lib|features\/(?!blog\/(?!paths\.ts)))/,
                  minShareCount: 2,
                },
                // Only the blog has a client-side cache (TanStack Query), so other pages do not
                // load its code. All pages use the blog's paths.
                {
                  name: "blog",
                  test: /node_modules\/@tanstack\/|\/app\/features\/blog\/(?!paths\.ts)/,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: { rollupOptions: { input: "./server/app.ts" } },
      // Hundreds of small files take a second to load at every start; one file takes a third of
      // that.
      ...(command === "build"
        ? { resolve: { noExternal: true, external: unbundledPackages } }
        : {}),
    },
  },
}));
