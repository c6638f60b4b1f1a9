import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  heading: string;
  text: string;
  level: "h1" | "h2";
  className?: string;
  children: ReactNode;
};

/**
 * Replaces a form after it is stored. The submit button is gone, so the focus and the scroll
 * position move here. Otherwise a phone would show whatever comes after the form.
 */
export function Thanks({ heading, text, level: Heading, className, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, []);
  const size = Heading === "h1" ? "kicker" : "text-3xl";
  return (
    <div ref={box} tabIndex={-1} role="status" className={`outline-none ${className ?? ""}`}>
      <Heading className={size}>{heading}</Heading>
      <p className="mt-4 text-lg">{text}</p>
      <div className="mt-6">{children}</div>
    </div>
  );
}
