import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Packages that load files or optional modules at run time, which a bundle would not contain. */
const unbundledPackages = ["@electric-sql/pglite", "pg", "pg-boss", "sharp"];

const sharedModules = /\/app\/(ui|lib|features\/(?!blog\/(?!paths\.ts)))/;
/** Only pages with stories, articles or lists of them load these modules. */
const storyModules =
  /\/app\/(ui\/(article-notes|choice-links|lead-image|share-button)|features\/stories\/(listing|pages\/(?!news-)))/;
/** Pages load these modules last, or only if they have lists. */
const deviceModules =
  /\/app\/(ui\/(notices|hooks\/use-hydrated)|lib\/device\/(forget|display-attributes)|features\/(saved\/(?!saved-(link|count))|device\/(visits|lazy-layer)))/;
/** Only pages with a form of their own load these modules. */
const formModules =
  /\/app\/features\/(contact|forms\/(?!model|spam-trap)|newsletter\/pages\/(?!newsletter-(box|form)))/;
/** Only /news, the sections and the archive load these modules. */
const headlineModules = /\/app\/features\/feeds\/pages\//;

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
                  test: (module) =>
                    sharedModules.test(module) &&
                    !storyModules.test(module) &&
                    !deviceModules.test(module) &&
                    !formModules.test(module) &&
                    !headlineModules.test(module),
                  minShareCount: 2,
                },
                { name: "stories", test: storyModules, minShareCount: 2 },
                { name: "device", test: deviceModules, minShareCount: 2 },
                { name: "forms", test: formModules, minShareCount: 2 },
                { name: "headlines", test: headlineModules, minShareCount: 2 },
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
