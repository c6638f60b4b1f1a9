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

  useEffect(() => {
    if (!isStored && frame.current) return growWithContent(frame.current);
  }, [isStored]);

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

/**
 * Makes an iframe higher whenever its document needs more height, such as for mistakes that the
 * form reports. It never becomes lower, so that nothing below it moves up. Returns a function that
 * stops this.
 */
function growWithContent(frame: HTMLIFrameElement): () => void {
  const observer = new ResizeObserver(() => {
    const missingPx =
      (frame.contentDocument?.documentElement.scrollHeight ?? 0) - frame.clientHeight;
    if (missingPx > 0) frame.style.height = `${frame.offsetHeight + missingPx}px`;
  });
  const observeDocument = () => {
    observer.disconnect();
    if (frame.contentDocument?.body) observer.observe(frame.contentDocument.body);
  };
  // The document may have loaded before this script, and a form sent without scripts loads another.
  observeDocument();
  frame.addEventListener("load", observeDocument);
  return () => {
    observer.disconnect();
    frame.removeEventListener("load", observeDocument);
  };
}
