import type { ReactNode } from "react";

export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="bg-gold px-2 py-0.5 font-semibold text-on-gold text-xs uppercase tracking-wide">
      {children}
    </span>
  );
}
