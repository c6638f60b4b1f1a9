import { useEffect, useRef, useState } from "react";
import type { ContactPageTexts } from "./files.server.ts";
import { keptNotice } from "./model.ts";

type Props = { src: string; form: ContactPageTexts["form"] };

/** Our own form in its frame. When the frame says that a message is stored, thanks take its place. */
export function FormFrame({ src, form }: Props) {
  const [isKept, setKept] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  const thanks = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<unknown>) => {
      // Any window may send a message; only our own form in this frame is believed.
      if (origin !== location.origin || source === null || source !== frame.current?.contentWindow) return;
      if (data === keptNotice) setKept(true);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);
  useEffect(() => {
    if (isKept) thanks.current?.focus();
  }, [isKept]);

  if (isKept) {
    return (
      <div
        ref={thanks}
        tabIndex={-1}
        role="status"
        className="min-h-[789px] border-gold border-t-4 bg-surface p-8"
      >
        <h2 className="text-3xl">{form.thanks.heading}</h2>
        <p className="mt-3 text-lg">{form.thanks.text}</p>
        <button type="button" className="button button-plain mt-6" onClick={() => setKept(false)}>
          Write another message
        </button>
      </div>
    );
  }
  return (
    <iframe
      ref={frame}
      src={src}
      title={form.heading}
      className="h-[789px] w-full rounded-sm border border-line bg-surface"
    />
  );
}
