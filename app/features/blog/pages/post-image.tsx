import { useEffect, useRef, useState } from "react";

type Props = {
  src: string;
  className: string;
  width: number;
  height: number;
};

/** The image of a post. An image that does not load is not shown at all. */
export function PostImage(props: Props) {
  const image = useRef<HTMLImageElement>(null);
  const [isMissing, setMissing] = useState(false);
  // The image may have failed before React attached its error handler.
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (complete && naturalWidth === 0) setMissing(true);
  }, []);
  if (isMissing) return null;
  // Posts have no image descriptions. The alt text is empty because the title is next to the image.
  return (
    <img
      ref={image}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setMissing(true)}
      {...props}
    />
  );
}
