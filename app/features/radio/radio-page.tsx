import { useEffect, useState, useSyncExternalStore } from "react";
import { artPath } from "../../lib/images/art.ts";
import { CityImage } from "../../ui/city-image.tsx";
import { Link } from "../../ui/link.tsx";
import { MuteButton, PlayButton } from "./controls.tsx";
import type { RadioTexts } from "./files.server.ts";
import {
  type DayGroup,
  initialLoudness,
  type OnAir,
  onAirIntervalMs,
  onAirPath,
  phaseTexts,
  problemTexts,
  shownVolume,
  streamSrc,
  volumeStep,
} from "./model.ts";
import { radioPlayer } from "./player.ts";
import { PlayedSection, ProgramsSection, WeekSection } from "./schedule/programs-section.tsx";
import { type RadioState, setRadioState, useRadioState } from "./session.ts";
import { SleepMenu } from "./sleep-menu.tsx";

type Props = {
  texts: Omit<RadioTexts, "artwork" | "schedule">;
  siteName: string;
  city: string;
  artwork: RadioState["artwork"];
  schedule: { isSample: boolean; week: DayGroup[] } | undefined;
  onAir: OnAir;
};

export function RadioPage({ texts, siteName, city, artwork, schedule, onAir }: Props) {
  const { phase, problem, title } = useRadioState();
  const { station } = texts;
  const { now, next, played } = useOnAir(onAir);
  useEffect(
    () => setRadioState({ station, artwork, broadcasts: now ? [now, ...next] : next }),
    [station, artwork, now, next],
  );
  return (
    <>
      <header className="page py-5">
        <Link to="/" className="text-link inline-block py-0.5 font-semibold">
          ← Back to {siteName}
        </Link>
      </header>
      <main className="page pb-16">
        <article className="radio-set" data-phase={phase}>
          <div className="radio-window">
            <CityImage
              image={texts.image}
              className="h-full w-full object-cover"
              load="first"
              sizes="story"
            />
            {texts.onAirFile && (
              <img
                src={artPath(texts.onAirFile)}
                alt=""
                className="radio-on-air script-only no-print"
              />
            )}
            <p
              className="script-only no-print absolute top-4 right-4 rounded-full bg-night px-3.5 py-1 font-semibold text-on-navy text-sm/text"
              role="status"
            >
              <span className="radio-lamp" data-phase={phase}>
                {phaseTexts[phase]}
              </span>
            </p>
          </div>
          <div className="p-[clamp(min(1.25rem,6vw),5vw,2.5rem)] lg:p-12">
            <h1 className="text-4xl md:text-5xl">{texts.heading}</h1>
            <p className="mt-2 text-ink-soft text-lg">{texts.subtitle}</p>
            <div className="script-only no-print">
              <AudioBars />
              <div className="mt-6 flex flex-wrap items-center gap-4">
                <PlayButton />
                <Volume />
              </div>
              <SleepMenu />
              {/* The line is always there, so that nothing moves when a message appears. */}
              <p role="alert" className="mt-4 min-h-6 font-semibold text-crab leading-6">
                {problem && problemTexts[problem]}
              </p>
              <ConnectionNotice />
            </div>
            <noscript>
              {/* biome-ignore lint/a11y/useMediaCaption: live radio has no captions */}
              <audio
                className="my-8 w-full"
                controls
                preload="none"
                crossOrigin="anonymous"
                src={streamSrc}
              >
                {/* Shown where no player can be, such as in the low-data edition. */}
                <a href={streamSrc}>Open the live stream</a> An hour of listening uses about 60 MB.
              </audio>
            </noscript>
            <section className="callout radio-now" aria-labelledby="now-playing">
              <h2 id="now-playing" className="font-sans font-semibold text-sm">
                {texts.nowPlaying.heading}
              </h2>
              <p className="mt-1.5 font-serif text-xl leading-snug">{texts.nowPlaying.text}</p>
              <p className="mt-1 min-h-6 text-ink-soft leading-6">{title}</p>
            </section>
            <p className="script-only mt-5 text-ink-soft text-sm">{texts.tip}</p>
          </div>
        </article>
        <div className="mt-12 grid grid-cols-1 gap-12 lg:grid-cols-2">
          {schedule && <ProgramsSection now={now} next={next} isSample={schedule.isSample} />}
          <PlayedSection played={played} />
        </div>
        {schedule && <WeekSection week={schedule.week} city={city} />}
      </main>
    </>
  );
}

function Volume() {
  const volume = shownVolume(useRadioState().loudness ?? initialLoudness);
  const percent = Math.round(volume * 100);
  return (
    <div className="flex min-w-[min(9rem,100%)] flex-1 items-center gap-2">
      <MuteButton className="icon-button shrink-0" />
      <input
        type="range"
        className="h-11 w-0 min-w-0 flex-1 accent-accent"
        aria-label="Volume"
        aria-valuetext={`${percent} percent`}
        min="0"
        max="1"
        step={volumeStep}
        value={volume}
        onChange={({ target }) => radioPlayer().setVolume(target.valueAsNumber)}
      />
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  const stop = new AbortController();
  for (const event of ["online", "offline"])
    addEventListener(event, listener, { signal: stop.signal });
  return () => stop.abort();
}

/** Tells a reader without a connection why nothing plays. */
function ConnectionNotice() {
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    <p role="status" className="mb-4 font-medium empty:hidden">
      {!isOnline && "You seem to be offline. The radio needs an internet connection."}
    </p>
  );
}

const bars = Array.from({ length: 36 }, (_, n) => n);

function AudioBars() {
  return (
    <div className="radio-line" aria-hidden="true">
      {bars.map((n) => (
        <span key={n} />
      ))}
    </div>
  );
}

/**
 * Starts with what the server rendered, and loads it again every minute while the page is visible,
 * and when the reader returns to it. All readers get the same response, from the page cache.
 */
function useOnAir(loaded: OnAir): OnAir {
  const [onAir, setOnAir] = useState(loaded);
  useEffect(() => {
    setOnAir(loaded);
    const stop = new AbortController();
    const { signal } = stop;
    const refresh = async () => {
      if (document.hidden) return;
      const body: OnAir | null = await fetch(onAirPath, { signal })
        .then((response) => response.json())
        .catch(() => null);
      if (body) setOnAir(body);
    };
    const timer = setInterval(refresh, onAirIntervalMs);
    document.addEventListener("visibilitychange", refresh, { signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [loaded]);
  return onAir;
}
