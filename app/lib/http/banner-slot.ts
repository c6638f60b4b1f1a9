/** The id of the element in which pages show the banner with alerts. */
export const bannerId = "alerts";

/** The server inserts the banner here when it sends a page, so an alert needs no new render. */
export const bannerSlot = `<div id="${bannerId}">`;

/** Inserts the banner in a page. A page without the element has none, such as those of the desk. */
export const insertBanner = (html: string, banner: string): string =>
  banner === "" ? html : html.replace(bannerSlot, () => bannerSlot + banner);
