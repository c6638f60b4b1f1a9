import { useEffect, useRef, useState } from "react";
import { Thanks } from "../forms/thanks.tsx";
import type { ContactPageTexts } from "./files.server.ts";
import { formStoredMessage } from "./model.ts";

type Props = { src: string; form: ContactPageTexts["form"] };

/**
 * Our own form in an iframe, because it has a token and the page around it is cached. When the form
 * reports a stored message, we thank the reader.
 */
export function FormFrame({ src, form }: Props) {
  const [isStored, setStored] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<unknown>) => {
      // Any window can send a message, so we accept only messages from our own form in this iframe.
      if (origin !== location.origin || source === null || source !== frame.current?.contentWindow)
        return;
      if (data === formStoredMessage) setStored(true);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  }, []);

  if (isStored) {
    return (
      <Thanks {...form.thanks} level="h2" className="border-gold border-t-4 bg-surface p-8">
        <button type="button" className="button button-plain" onClick={() => setStored(false)}>
          Write another message
        </button>
      </Thanks>
    );
  }
  return (
    <iframe ref={frame} src={src} title={form.heading} className="panel h-[49.3125rem] w-full" />
  );
}
