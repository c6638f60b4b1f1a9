import { useSyncExternalStore } from "react";
import { onDisplayChange } from "../../lib/device/display-script.ts";

const query = "(prefers-reduced-motion: reduce)";

/** Whether the reader wants less motion: a setting of the device, or of our display panel. */
export const prefersLessMotion = () =>
  matchMedia(query).matches || document.documentElement.dataset.motion === "less";

/** Returns false on the server and until hydration. */
export const useLessMotion = () => useSyncExternalStore(subscribe, prefersLessMotion, () => false);

function subscribe(listener: () => void): () => void {
  const mediaQueryList = matchMedia(query);
  mediaQueryList.addEventListener("change", listener);
  const stopObserving = onDisplayChange(listener);
  return () => {
    mediaQueryList.removeEventListener("change", listener);
    stopObserving();
  };
}
