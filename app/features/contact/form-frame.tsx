import { useEffect, useRef } from "react";

type Props = { src: string; title: string };

/**
 * The contact form. It has a token, and the page around it is cached, so it is a page of its own in
 * an iframe. The iframe is as high as this page, which grows with the mistakes that it reports.
 */
export function FormFrame({ src, title }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => (frame.current ? fitToContent(frame.current) : undefined), []);
  return <iframe ref={frame} src={src} title={title} className="panel h-[49.3125rem] w-full" />;
}

/** Returns a function that stops this. */
function fitToContent(frame: HTMLIFrameElement): () => void {
  const observer = new ResizeObserver(([entry]) => {
    const borders = frame.offsetHeight - frame.clientHeight;
    if (entry) frame.style.height = `${Math.ceil(entry.contentRect.height) + borders}px`;
  });
  const observeDocument = () => {
    observer.disconnect();
    if (frame.contentDocument) observer.observe(frame.contentDocument.documentElement);
  };
  // The document may have loaded before this script, and a form sent without scripts loads another.
  observeDocument();
  frame.addEventListener("load", observeDocument);
  return () => {
    observer.disconnect();
    frame.removeEventListener("load", observeDocument);
  };
}
