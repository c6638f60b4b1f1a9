import { type ComponentType, useEffect, useState } from "react";
import { useRadioState } from "./session.ts";

/**
 * Above all pages, so that the sound goes on while they change. For readers who never press play it
 * does nothing.
 */
export function RadioLayer() {
  const [Bar, setBar] = useState<ComponentType | null>(null);
  const isOn = useRadioState().phase !== "stopped";
  useEffect(() => {
    // Without the bar the sound goes on all the same.
    if (isOn)
      import("./radio-bar.tsx").then(
        ({ RadioBar }) => setBar(() => RadioBar),
        () => {},
      );
  }, [isOn]);
  return Bar && <Bar />;
}
