import { useEffect, useRef, useState } from "react";

type Props = { src: string; className: string; width: number; height: number };

/** A picture that may come from anywhere. One that cannot be had leaves no broken frame behind. */
export function PostImage(props: Props) {
  const picture = useRef<HTMLImageElement>(null);
  const [isMissing, setMissing] = useState(false);
  // It may have failed before React was there to hear of it.
  useEffect(() => {
    const { complete, naturalWidth } = picture.current ?? {};
    if (complete && naturalWidth === 0) setMissing(true);
  }, []);
  if (isMissing) return null;
  // The posts say nothing of their pictures that could be read out; the words beside them do.
  return (
    <img
      ref={picture}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(true)}
      {...props}
    />
  );
}
