import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { CloseIcon } from "../../ui/icons.tsx";
import { Link } from "../../ui/link.tsx";
import { MuteButton, PlayButton } from "./controls.tsx";
import { phaseTexts, problemTexts, shownTitle } from "./model.ts";
import { useRadioState } from "./session.ts";
import { SleepMenu } from "./sleep-menu.tsx";

/**
 * The radio controls on all pages except /radio. The bar is visible while the radio plays, and
 * after a pause until the reader closes it or opens another page.
 */
export function RadioBar() {
  const { phase, problem, station, title } = useRadioState();
  const { pathname } = useLocation();
  const isOn = phase !== "stopped";
  const [barPath, setBarPath] = useState(pathname);
  useEffect(
    () => setBarPath((last) => (isOn || last === pathname ? pathname : "")),
    [isOn, pathname],
  );
  if (pathname === "/radio" || !(isOn || barPath === pathname)) return null;
  const close = () => {
    setBarPath("");
    // The button that has the focus disappears, so the focus moves to the page.
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
      {isOn && <SleepMenu isSmall />}
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
