import { type ReactNode, useEffect, useRef } from "react";

/**
 * Replaces a form that the server has accepted. The submit button is gone, so the focus and the
 * scroll position move here. Otherwise a phone would show whatever comes after the form.
 */
export function FormResult({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="space-y-4 outline-none [h1+&]:mt-4">
      {children}
    </div>
  );
}

type ThanksProps = { heading: string; text: string; children: ReactNode };

export const Thanks = ({ heading, text, children }: ThanksProps) => (
  <FormResult>
    <h1 className="kicker">{heading}</h1>
    <p className="text-lg">{text}</p>
    <div className="pt-2">{children}</div>
  </FormResult>
);
