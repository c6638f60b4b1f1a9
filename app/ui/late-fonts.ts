import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";

type OwnFont = { family: string; href: string };

/**
 * A font that arrives after the first paint is not used on that page, so that no text moves (`font-display: optional`).
 * To the browser, pages that React Router changes are still that page. So we take the late font in ourselves, together
 * with the next page.
 */
export function useLateFonts(fonts: OwnFont[]): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const late = useRef<FontFace[]>([]);

  useEffect(() => {
    for (const font of fonts.filter(({ href }) => !wasInTime(href))) {
      const declared = [...document.fonts].find(({ family }) => family.replaceAll('"', "") === font.family);
      // The browser may decide against an optional font, on a slow line for example. Then we do not fetch it either.
      declared?.loaded
        .then(({ weight }) => new FontFace(font.family, `url("${font.href}")`, { weight }).load())
        .then((face) => late.current.push(face))
        .catch(() => {
          // It could not be loaded: the fallback stays.
        });
    }
  }, [fonts]);

  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    for (const face of late.current.splice(0)) document.fonts.add(face);
  }, [pathname]);
}

function wasInTime(href: string): boolean {
  const [file] = performance.getEntriesByName(new URL(href, location.href).href, "resource");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return (
    file instanceof PerformanceResourceTiming && paint !== undefined && file.responseEnd < paint.startTime
  );
}
