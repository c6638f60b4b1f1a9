import { type ComponentType, useEffect, useState } from "react";
import { useRadioState } from "./session.ts";

/** Keeps the radio bar while the page changes. It loads nothing until a reader presses Play. */
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
