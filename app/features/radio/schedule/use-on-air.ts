import { useEffect, useState } from "react";
import { isOnAir, type OnAir, onAirIntervalMs, onAirPath } from "./model.ts";

/** Loads what is on the air again every minute while the page is visible. */
export function useOnAir(loaded: OnAir): OnAir {
  const [onAir, setOnAir] = useState(loaded);
  useEffect(() => {
    setOnAir(loaded);
    const stop = new AbortController();
    const { signal } = stop;
    let loadedAt = Date.now();
    const refresh = async () => {
      if (document.hidden) return;
      loadedAt = Date.now();
      const body: unknown = await fetch(onAirPath, { signal })
        .then((response) => response.json())
        .catch(() => null);
      if (isOnAir(body)) setOnAir(body);
    };
    const timer = setInterval(refresh, onAirIntervalMs);
    const refreshIfOld = () => {
      if (Date.now() - loadedAt >= onAirIntervalMs) refresh();
    };
    document.addEventListener("visibilitychange", refreshIfOld, { signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [loaded]);
  return onAir;
}
