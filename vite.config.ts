import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** Packages that load files or optional modules at run time, which a bundle would not contain. */
const unbundledPackages = ["@electric-sql/pglite", "pg", "pg-boss", "sharp"];

const ownModules = /\/app\/(ui\/|lib\/|features\/|root|routes\/(layout|failures))/;
/** The modules of the front page and of all lists. */
const listModules =
  /\/app\/(ui\/(title-list|time-ago)|features\/(feeds\/(model|pages\/(headline|short)-list)|events\/pages\/event-titles|stories\/model|device\/visits\/))/;
/** The modules of lists that readers can filter. */
const filterModules = /\/app\/(ui\/choices\/|features\/places\/)/;
/** The modules of stories, posts and events. */
const articleModules =
  /\/app\/ui\/(article-notes|lead-image|prose|seo\/structured|share\/share-tools)/;
/** Only the blog has a client-side cache (TanStack Query), so other pages do not load its code. */
const blogModules =
  /node_modules\/@tanstack\/|\/app\/features\/blog\/pages\/(list|queries|pagination|post-image)/;
/** The modules around every page, and those that load soon after every page. */
const shellRoots =
  /\/app\/(root|routes\/(layout|failures)|features\/(device\/lazy-layer|offline\/report-visit))\.tsx?/;
/** Modules that are too small for files of their own. */
const smallModules =
  /\/app\/(ui\/(badge|hooks\/|external-link|section-head|share\/copy-outcome)|lib\/(is-record|links|text\/slug)|features\/(ads\/(ad-row|model)|events\/model|saved\/(save-button|problems)|stories\/pages\/news-grid))/;
/** A module that at least this many parts of the site import is loaded with every page. */
const commonShareCount = 20;

type ModuleGraph = { getModuleInfo(id: string): { importers: string[] } | null };

/** Whether every page loads the module. */
function isInShell(id: string, graph: ModuleGraph, seen = new Set<string>()): boolean {
  if (shellRoots.test(id) || smallModules.test(id)) return true;
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
                { name: "common", test: ownModules, minShareCount: commonShareCount },
                { name: "lists", test: listModules, minShareCount: 2 },
                { name: "filters", test: filterModules, minShareCount: 2 },
                { name: "articles", test: articleModules, minShareCount: 2 },
                { name: "forms", test: /\/app\/features\/forms\//, minShareCount: 2 },
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
