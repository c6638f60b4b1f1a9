import { execFileSync } from "node:child_process";
import { findProgram, installPackages, isProgram, type Missing } from "./programs.ts";

// The headless shell is the same browser without a user interface. Tests take a third less time
// with it.
const headlessShell = "chromium-headless-shell";
const browserNames = [
  headlessShell,
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const macChrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * These flags let a headless browser run anywhere, even as root, and prevent its own network
 * requests. Without hinting, text is as wide in the headless shell as in Chromium, Chrome and a
 * phone's browser, so lines break at the same words.
 */
export const browserFlags = [
  "--no-sandbox",
  "--font-render-hinting=none",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Finds the browser for the tests: CHROMIUM_PATH, an installed browser, or one that Debian's
 * package manager installs.
 */
export function findBrowser(): string {
  const foundBrowser = process.env.CHROMIUM_PATH || findInstalledBrowser();
  if (foundBrowser) return foundBrowser;
  installPackages(listMissingBrowser());
  const installed = findInstalledBrowser();
  if (installed) return installed;
  throw new Error(
    "The tests need Chromium or Chrome. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), " +
      "or set CHROMIUM_PATH to its program file.",
  );
}

/** Lists the browser if none is installed. */
export const listMissingBrowser = (): Missing[] =>
  process.env.CHROMIUM_PATH || findInstalledBrowser()
    ? []
    : [
        {
          reason: "No browser is installed",
          consequence: "browser tests cannot run",
          packages: [headlessShell, "fonts-liberation"],
        },
      ];

/** The program and its version, such as "/usr/bin/chromium: Chromium 156.0.8078.73". */
export const describeBrowser = (program: string): string =>
  `${program}: ${execFileSync(program, ["--version"], { encoding: "utf8" }).trim()}`;

const findInstalledBrowser = () =>
  findProgram(...browserNames) ?? (isProgram(macChrome) ? macChrome : undefined);
