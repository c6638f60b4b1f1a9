import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Packages that load files or optional modules at run time, which a bundle would not contain. */
const unbundledPackages = ["@electric-sql/pglite", "pg", "pg-boss", "sharp"];

const ownModules = /\/app\/(ui|lib|features\/(?!blog\/(?!paths\.ts)))/;
/** Only the blog has a client-side cache (TanStack Query), so other pages do not load its code. */
const blogModules = /node_modules\/@tanstack\/|\/app\/features\/blog\/(?!paths\.ts)/;
/** Pages load these modules last, or only if they have lists. */
const deviceModules =
  /\/app\/(ui\/(notices\/|hooks\/use-hydrated)|lib\/device\/|features\/(saved\/|device\/|forms\/unsent\/retention))/;
/** Only pages with stories, articles or lists of them load these modules. */
const storyModules =
  /\/app\/(ui\/(article-notes|choices\/choice-links|lead-image|share\/share-button)|features\/stories\/(listing|pages\/(?!news-)))/;
/** Only /news, the sections and the archive load these modules. */
const headlineModules = /\/app\/features\/feeds\/pages\//;
/** The modules around every page. */
const shellRoutes = /\/app\/(root|routes\/(layout|failures))\.tsx/;
/** A module that at least this many parts of the site import is loaded with every page. */
const commonShareCount = 11;

type ModuleGraph = { getModuleInfo(id: string): { importers: string[] } | null };

/** Whether every page loads the module, because the shell imports it. */
function isInShell(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (shellRoutes.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some((importer) => isInShell(importer, graph, seen));
}

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
                  name: (id, graph) => (isInShell(id, graph) ? "shell" : null),
                  debugName: "shell",
                  test: ownModules,
                },
                { name: "device", test: deviceModules, minShareCount: 2 },
                { name: "common", test: ownModules, minShareCount: commonShareCount },
                { name: "stories", test: storyModules, minShareCount: 2 },
                { name: "headlines", test: headlineModules, minShareCount: 2 },
                { name: "pages", test: ownModules, minShareCount: 2 },
                { name: "blog", test: blogModules },
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
