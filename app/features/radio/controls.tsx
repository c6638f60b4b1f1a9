import { MutedIcon, PauseIcon, PlayIcon, SpeakerIcon } from "../../ui/icons.tsx";
import { initialLoudness } from "./model.ts";
import { radioPlayer } from "./player.ts";
import { useRadioState } from "./session.ts";

/** The large button has a text label next to its icon; the small one has only the icon. */
export function PlayButton({ isSmall = false }: { isSmall?: boolean }) {
  const isOn = useRadioState().phase !== "stopped";
  const name = isOn ? "Pause" : "Play";
  return (
    <button
      type="button"
      className={`button button-gold radio-play ${isSmall ? "radio-play-small" : ""}`}
      onClick={() => radioPlayer().toggle()}
      {...(isSmall ? { "aria-label": name, "data-tooltip": name } : {})}
    >
      {isOn ? <PauseIcon /> : <PlayIcon />}
      {!isSmall && name}
    </button>
  );
}

export function MuteButton({ className }: { className: string }) {
  const { isMuted } = useRadioState().loudness ?? initialLoudness;
  const name = isMuted ? "Unmute" : "Mute";
  return (
    <button
      type="button"
      className={className}
      aria-label={name}
      data-tooltip={name}
      onClick={() => radioPlayer().toggleMute()}
    >
      {isMuted ? <MutedIcon /> : <SpeakerIcon />}
    </button>
  );
}
