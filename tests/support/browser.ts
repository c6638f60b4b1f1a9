import { findProgram, installPackages, isProgram } from "./programs.ts";

// The headless shell is the same browser without a user interface; tests take a third less time.
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macChrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Let a headless browser run anywhere, even as root, without network requests of its own. */
export const browserFlags = [
  "--no-sandbox",
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
  const found = process.env.CHROMIUM_PATH || installedBrowser();
  if (found) return found;
  installPackages("No browser is installed", "browser tests cannot run", shell, "fonts-liberation");
  const installed = installedBrowser();
  if (installed) return installed;
  throw new Error(
    "The tests need Chromium or Chrome. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), " +
      "or set CHROMIUM_PATH to its program file.",
  );
}

const installedBrowser = () =>
  findProgram(...names) ?? (isProgram(macChrome) ? macChrome : undefined);
