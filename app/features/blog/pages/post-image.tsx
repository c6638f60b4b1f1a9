import { useBrokenImage } from "../../../ui/hooks/use-broken-image.ts";

type Props = {
  src: string;
  className: string;
  width: number;
  height: number;
};

/** The image of a post. An image that does not load is not shown at all. */
export function PostImage(props: Props) {
  const { isBroken, handlers } = useBrokenImage(props.src);
  if (isBroken) return null;
  // Posts have no image descriptions. The alt text is empty because the title is next to the image.
  return <img alt="" loading="lazy" decoding="async" {...handlers} {...props} />;
}
