import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Packages that bring binaries or files of their own, which a bundle would lose. */
const apart = ["@electric-sql/pglite", "pg", "pg-boss", "sharp"];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  build: {
    // A data: URL would have to be allowed by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  environments: {
    client: {
      build: {
        rollupOptions: {
          output: {
            // A dozen crumbs a page would each cost a request: what pages share comes in a few
            // files.
            codeSplitting: {
              groups: [
                { name: "react-dom", test: /node_modules\/(react-dom|scheduler)\// },
                { name: "router", test: /node_modules\/(?!@tanstack\/)/ },
                {
                  name: "shared",
                  test: /\/app\/(ui|lib|features\/(?!blog\/(?!paths\.ts)))/,
                  minShareCount: 2,
                },
                // Only the blog has a memory of its own, so no other page pays for it. Every page
                // knows the blog's paths.
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
      // Hundreds of small files take a second to load at every start; in one file they take a third
      // of it.
      ...(command === "build" ? { resolve: { noExternal: true, external: apart } } : {}),
    },
  },
}));
