import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

type OwnFont = { family: string; href: string };

/**
 * The browser does not use a font that arrives after the first paint, so that no text moves
 * (`font-display: optional`). For the browser, all pages that React Router shows are the same page,
 * so we add the late font ourselves when the page changes. We load it only once the reader follows
 * a link, because parsing a font takes time that the first page needs.
 */
export function useLateFonts(fonts: OwnFont[]): void {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const shownPath = useRef(pathname);
  const lateFonts = useRef<Promise<FontFace | null>[]>(null);

  useEffect(() => {
    if (state !== "loading" || lateFonts.current || !fonts.every(isLoaded)) return;
    lateFonts.current = fonts.filter(({ href }) => !arrivedInTime(href)).map(loadAgain);
  }, [state, fonts]);

  useLayoutEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    for (const font of lateFonts.current ?? [])
      font.then((face) => face && document.fonts.add(face));
  }, [pathname]);
}

/**
 * Whether the browser has downloaded the font. It may decide not to download an optional font, for
 * example on a slow connection. In that case we do not download the font either.
 */
const isLoaded = ({ family }: OwnFont) =>
  [...document.fonts].some(
    (face) => face.family.replaceAll('"', "") === family && face.status === "loaded",
  );

/** If the font cannot be loaded, the fallback font stays in use. */
const loadAgain = ({ family, href }: OwnFont) =>
  new FontFace(family, `url("${href}")`, { weight: "400 700" }).load().catch(() => null);

/** Whether the font arrived before the first paint. */
function arrivedInTime(href: string): boolean {
  const [file] = performance.getEntriesByName(new URL(href, location.href).href, "resource");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return (
    file instanceof PerformanceResourceTiming &&
    paint !== undefined &&
    file.responseEnd < paint.startTime
  );
}
