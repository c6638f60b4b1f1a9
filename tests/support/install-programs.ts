// Installs all programs that the tests need, with one call of apt-get.
import { listMissingBrowser } from "./browser.ts";
import { installPackages, listMissingServers } from "./programs.ts";

installPackages([...listMissingBrowser(), ...listMissingServers()]);
