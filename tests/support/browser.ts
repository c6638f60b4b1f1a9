import { findProgram, installPackages, isProgram } from "./programs.ts";

// The shell is the same browser without a window of its own: tests take two thirds of the time.
const shell = "chromium-headless-shell";
const names = [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macChrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** What a headless browser needs to run anywhere, as root too, and to keep to itself. */
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
 * The browser to test with: CHROMIUM_PATH, one that is installed, or one that Debian's package
 * manager brings.
 */
export function findBrowser(): string {
  const found = process.env.CHROMIUM_PATH || installedBrowser();
  if (found) return found;
  installPackages(
    "No browser is installed",
    "the tests in a browser cannot run",
    shell,
    "fonts-liberation",
  );
  const installed = installedBrowser();
  if (installed) return installed;
  throw new Error(
    "The tests need Chromium or Chrome. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), " +
      "or set CHROMIUM_PATH to its program file.",
  );
}

const installedBrowser = () =>
  findProgram(...names) ?? (isProgram(macChrome) ? macChrome : undefined);
