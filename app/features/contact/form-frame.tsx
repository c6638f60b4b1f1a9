import { useEffect, useRef } from "react";

type Props = { src: string; title: string };

/**
 * The contact form. It has a token, and the page around it is cached, so it is a page of its own in
 * an iframe. The iframe grows with the mistakes that this page reports.
 */
export function FormFrame({ src, title }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => (frame.current ? growWithContent(frame.current) : undefined), []);
  return <iframe ref={frame} src={src} title={title} className="panel h-[49.3125rem] w-full" />;
}

/**
 * Makes an iframe higher whenever its document needs more height. It becomes lower only when its
 * width changes, so that nothing below it moves up. Returns a function that stops this.
 */
function growWithContent(frame: HTMLIFrameElement): () => void {
  let lastWidth = frame.clientWidth;
  const observer = new ResizeObserver(() => {
    if (frame.clientWidth !== lastWidth) frame.style.height = "";
    lastWidth = frame.clientWidth;
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
