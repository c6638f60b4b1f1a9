import { useEffect, useRef, useState } from "react";

/**
 * Says whether the image at `src` could not be loaded, so that the page can replace it or leave it
 * out. Spread `handlers` into the `<img>`.
 */
export function useBrokenImage(src: string) {
  const ref = useRef<HTMLImageElement>(null);
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null);
  useEffect(() => {
    // The image may have failed before React attached its error handler.
    const { complete, naturalWidth } = ref.current ?? {};
    if (complete && naturalWidth === 0) setBrokenSrc(src);
  }, [src]);
  return { isBroken: brokenSrc === src, handlers: { ref, onError: () => setBrokenSrc(src) } };
}
