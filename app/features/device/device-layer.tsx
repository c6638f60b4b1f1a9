import { type ComponentType, useEffect, useState } from "react";

/** Loads what the site does on the device after the page, so that it never delays the page. */
export function DeviceLayer() {
  const [Layer, setLayer] = useState<ComponentType | null>(null);
  useEffect(() => {
    // If the layer cannot be loaded, the page works as on a first visit.
    import("./lazy-layer.tsx").then(
      ({ LazyLayer }) => setLayer(() => LazyLayer),
      () => {},
    );
  }, []);
  return Layer && <Layer />;
}
