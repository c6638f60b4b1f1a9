import { useState } from "react";
import { MoonIcon } from "../../ui/icons.tsx";
import { radioPlayer } from "./player.ts";
import { useRadioState } from "./session.ts";
import { sleepChoices } from "./sleep-timer.ts";

const runningValue = "running";

/**
 * The menu of the sleep timer. While the timer runs, the menu shows the time that is left, so that
 * every choice, even the same one again, is a change. The small menu shows an icon until then.
 */
export function SleepMenu({ isSmall = false }: { isSmall?: boolean }) {
  const { phase, sleepMinutes } = useRadioState();
  const [chosen, setChosen] = useState<number | null>(null);
  const isRunning = sleepMinutes !== null;
  const choose = (minutes: number) => {
    radioPlayer().setSleepTimer(minutes);
    setChosen(minutes);
  };
  return (
    <>
      <label className={isSmall ? "radio-sleep radio-sleep-small" : "radio-sleep"}>
        <MoonIcon />
        <span className={isSmall ? "sr-only" : ""}>Sleep timer</span>
        {isSmall && isRunning && <span aria-hidden="true">{sleepMinutes} min</span>}
        <select
          value={isRunning ? runningValue : "0"}
          disabled={phase === "stopped"}
          onChange={({ target }) => choose(Number(target.value))}
          {...(isSmall ? { "data-tooltip": "Sleep timer" } : { className: "field" })}
        >
          {isRunning && (
            <option value={runningValue} hidden>
              {`${sleepMinutes} min left`}
            </option>
          )}
          <option value="0">Off</option>
          {sleepChoices.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes} minutes
            </option>
          ))}
        </select>
      </label>
      {/* Announced once for each choice, not each time the remaining minutes change. */}
      <span role="status" className="sr-only">
        {chosen === 0 && "The sleep timer is off."}
        {isRunning && chosen !== null && chosen > 0 && `The radio will stop in ${chosen} minutes.`}
      </span>
    </>
  );
}
