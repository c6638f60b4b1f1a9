import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { CloseIcon } from "../../ui/icons.tsx";
import { MuteButton, PlayButton } from "./controls.tsx";
import { phaseTexts, problemTexts, shownTitle } from "./model.ts";
import { useRadioState } from "./session.ts";

/**
 * The radio on all other pages: there while it plays, and after a pause until the reader closes it
 * or goes on.
 */
export function RadioBar() {
  const { phase, problem, station, title } = useRadioState();
  const { pathname } = useLocation();
  const isOn = phase !== "stopped";
  const [lastOn, setLastOn] = useState(pathname);
  useEffect(
    () => setLastOn((last) => (isOn || last === pathname ? pathname : "")),
    [isOn, pathname],
  );
  if (pathname === "/radio" || !(isOn || lastOn === pathname)) return null;
  const close = () => {
    setLastOn("");
    // The button that has the focus goes away, and the keyboard must not be left nowhere.
    document.querySelector("main")?.focus({ preventScroll: true });
  };
  return (
    <aside className="radio-bar navy no-print" aria-label="Radio">
      <PlayButton isSmall />
      <Link to="/radio" className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-semibold text-sm">{shownTitle(title, station)}</span>
        <span className="radio-lamp text-on-navy-soft text-sm" data-phase={phase} role="status">
          {problem ? problemTexts[problem] : phaseTexts[phase]}
        </span>
      </Link>
      {isOn ? (
        <MuteButton className="icon-button" />
      ) : (
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          data-tooltip="Close"
          onClick={close}
        >
          <CloseIcon />
        </button>
      )}
    </aside>
  );
}
