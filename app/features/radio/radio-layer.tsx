import { type ComponentType, useEffect, useState } from "react";
import { useRadioState } from "./session.ts";

/**
 * Part of the root layout, so that the radio bar stays while the page changes. It loads nothing for
 * readers who never press Play.
 */
export function RadioLayer() {
  const [Bar, setBar] = useState<ComponentType | null>(null);
  const isOn = useRadioState().phase !== "stopped";
  useEffect(() => {
    // If the bar cannot be loaded, the audio continues without it.
    if (isOn)
      import("./radio-bar.tsx").then(
        ({ RadioBar }) => setBar(() => RadioBar),
        () => {},
      );
  }, [isOn]);
  return Bar && <Bar />;
}
