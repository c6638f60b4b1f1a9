import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
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

/** The browser to test with: CHROMIUM_PATH, one that is installed, or one that Debian's package manager brings. */
export function findBrowser(say: (line: string) => void = console.log): string {
  const found = process.env.CHROMIUM_PATH || installedBrowser();
  if (found) return found;
  if (process.getuid?.() === 0 && onPath("apt-get")) {
    say("No browser is installed: installing Chromium with apt-get …");
    const quiet = { stdio: ["ignore", "ignore", "inherit"] as const };
    spawnSync("apt-get", ["update", "-qq"], { stdio: [...quiet.stdio] });
    spawnSync("apt-get", ["install", "-y", "-qq", "chromium", "fonts-liberation"], {
      stdio: [...quiet.stdio],
    });
    const installed = installedBrowser();
    if (installed) return installed;
  }
  throw new Error(
    "The tests need Chromium or Chrome. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), " +
      "or set CHROMIUM_PATH to its program file.",
  );
}

function installedBrowser(): string | undefined {
  return (
    names.map(onPath).find((path) => path !== undefined) ?? (isProgram(macChrome) ? macChrome : undefined)
  );
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
