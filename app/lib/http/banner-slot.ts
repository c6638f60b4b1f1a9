/** The id of the element in which pages show the banner with alerts. */
export const bannerId = "alerts";

/**
 * Where the banner belongs in the HTML of a page. Pages are rendered with an empty element, and the
 * server inserts the banner when it sends them, so a new alert needs no new render of any page.
 */
export const bannerSlot = `<div id="${bannerId}">`;

/** Inserts the banner in a page. A page without the element has none, such as those of the desk. */
export const insertBanner = (html: string, banner: string): string =>
  banner === "" ? html : html.replace(bannerSlot, () => bannerSlot + banner);
