import { browserSavesData } from "../lib/device/saves-data.ts";
import { editionParam, linkToEdition } from "./edition.ts";

/**
 * A browser that asks for little data (Save-Data) gets the low-data edition unless the URL says
 * otherwise. This module keeps a reader in the full edition after the router has changed the page:
 * it adds the edition to the URL, for a reload, and to a link before it is opened, for a new tab.
 * All browsers that send Save-Data have the Navigation API.
 */
if (browserSavesData()) {
  navigation.addEventListener("currententrychange", () => {
    if (new URLSearchParams(location.search).has(editionParam)) return;
    const search = linkToEdition(location.search, "full");
    history.replaceState(history.state, "", search + location.hash);
  });
  for (const event of ["pointerdown", "keydown"])
    addEventListener(event, ({ target }) => addToLink(target), { capture: true });
}

function addToLink(target: EventTarget | null): void {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link?.origin !== location.origin || link.pathname.includes(".")) return;
  if (link.pathname === location.pathname && link.hash !== "") return;
  if (!new URLSearchParams(link.search).has(editionParam))
    link.search = linkToEdition(link.search, "full");
}
