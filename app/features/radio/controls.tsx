import { MutedIcon, PauseIcon, PlayIcon, SpeakerIcon } from "../../ui/icons.tsx";
import { initialLoudness, isSilent } from "./model.ts";
import { radioPlayer } from "./player.ts";
import { useRadioState } from "./session.ts";

export function PlayButton({ className }: { className: string }) {
  const isOn = useRadioState().phase !== "stopped";
  const name = isOn ? "Pause" : "Play";
  return (
    <button
      type="button"
      className={className}
      aria-label={name}
      data-tooltip={name}
      onClick={() => radioPlayer().toggle()}
    >
      {isOn ? <PauseIcon /> : <PlayIcon />}
    </button>
  );
}

export function MuteButton({ className }: { className: string }) {
  const silent = isSilent(useRadioState().loudness ?? initialLoudness);
  const name = silent ? "Unmute" : "Mute";
  return (
    <button
      type="button"
      className={className}
      aria-label={name}
      data-tooltip={name}
      onClick={() => radioPlayer().toggleMute()}
    >
      {silent ? <MutedIcon /> : <SpeakerIcon />}
    </button>
  );
}
