import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { MuteButton, PlayButton } from "./controls.tsx";
import { phaseTexts, problemTexts } from "./model.ts";
import { useRadioState } from "./session.ts";

/** The radio on all other pages: there while it plays, and after a pause until the reader goes on. */
export function RadioBar() {
  const { phase, problem, station } = useRadioState();
  const { pathname } = useLocation();
  const isOn = phase !== "stopped";
  const [lastOn, setLastOn] = useState(pathname);
  useEffect(() => setLastOn((last) => (isOn || last === pathname ? pathname : "")), [isOn, pathname]);
  if (pathname === "/radio" || !(isOn || lastOn === pathname)) return null;
  return (
    <aside className="radio-bar navy no-print" aria-label="Radio">
      <PlayButton isSmall />
      <Link to="/radio" className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-semibold">{station}</span>
        <span className="radio-lamp text-on-navy-soft text-sm" data-phase={phase} role="status">
          {problem ? problemTexts[problem] : phaseTexts[phase]}
        </span>
      </Link>
      <MuteButton className="icon-button" />
    </aside>
  );
}
