import { useEffect, useRef, useState } from "react";
import { Thanks } from "../forms/thanks.tsx";
import type { ContactPageTexts } from "./files.server.ts";
import { storedNotice } from "./model.ts";

type Props = { src: string; form: ContactPageTexts["form"] };

/**
 * Our own form in its frame. When the frame says that a message is stored, thanks take its place.
 */
export function FormFrame({ src, form }: Props) {
  const [isKept, setKept] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<unknown>) => {
      // Any window may send a message; only our own form in this frame is believed.
      if (origin !== location.origin || source === null || source !== frame.current?.contentWindow)
        return;
      if (data === storedNotice) setKept(true);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);

  if (isKept) {
    return (
      <Thanks {...form.thanks} level="h2" className="border-gold border-t-4 bg-surface p-8">
        <button type="button" className="button button-plain" onClick={() => setKept(false)}>
          Write another message
        </button>
      </Thanks>
    );
  }
  return (
    <iframe
      ref={frame}
      src={src}
      title={form.heading}
      className="h-[49.3125rem] w-full rounded-sm border border-line bg-surface"
    />
  );
}
