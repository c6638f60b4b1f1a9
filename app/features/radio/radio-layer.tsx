import { type ComponentType, useEffect, useState } from "react";
import { useRadioState } from "./session.ts";

export const audioElementId = "radio-audio";

/** Above all pages, so that the sound goes on while they change. For readers who never press play it does nothing. */
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
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody writes down live radio while it is on */}
      <audio id={audioElementId} preload="none" crossOrigin="anonymous" />
      {Bar && <Bar />}
    </>
  );
}
