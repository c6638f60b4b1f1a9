import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

type OwnFont = { family: string; href: string };

/**
 * A font that arrives after the first paint is not used on that page, so that no text moves
 * (`font-display: optional`). To the browser, pages that React Router changes are still that page.
 * So we add the late font ourselves, together with the next page. It is read again when the reader
 * has followed a link: that takes time, which the first page needs.
 */
export function useLateFonts(fonts: OwnFont[]): void {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const shown = useRef(pathname);
  const late = useRef<Promise<FontFace | null>[]>(null);

  useEffect(() => {
    if (state !== "loading" || late.current || !fonts.every(isLoaded)) return;
    late.current = fonts.filter(({ href }) => !wasInTime(href)).map(loadAgain);
  }, [state, fonts]);

  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    for (const font of late.current ?? []) font.then((face) => face && document.fonts.add(face));
  }, [pathname]);
}

/**
 * The browser may also decide against an optional font, on a slow line for example. Then we do not
 * fetch it either.
 */
const isLoaded = ({ family }: OwnFont) =>
  [...document.fonts].some(
    (face) => face.family.replaceAll('"', "") === family && face.status === "loaded",
  );

/** Without it the fallback stays. */
const loadAgain = ({ family, href }: OwnFont) =>
  new FontFace(family, `url("${href}")`, { weight: "400 700" }).load().catch(() => null);

function wasInTime(href: string): boolean {
  const [file] = performance.getEntriesByName(new URL(href, location.href).href, "resource");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return (
    file instanceof PerformanceResourceTiming &&
    paint !== undefined &&
    file.responseEnd < paint.startTime
  );
}
