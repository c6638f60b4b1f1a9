import { type MouseEvent, type Ref, useEffect, useRef, useState } from "react";
import { artPath } from "../../lib/site/art.ts";
import { PlayIcon } from "../../ui/icons.tsx";
import { Embed } from "./embed.tsx";
import type { OwnVideo, VideoContent } from "./video.server.ts";

/**
 * Our own film in the browser's own player, or a video of another service. Neither plays unasked.
 */
export function Video({ video: { title, text, player } }: { video: VideoContent }) {
  return (
    <div className="mt-6 lg:grid lg:grid-cols-[3fr_1fr] lg:gap-8">
      {player.kind === "film" ? (
        <OwnVideoPlayer film={player.film} title={title} />
      ) : (
        <Embed content={player.embed} className="aspect-video" />
      )}
      <div className="mt-4 lg:mt-0 lg:border-gold lg:border-t-4 lg:pt-4">
        <h3 className="text-2xl">{title}</h3>
        <p className="mt-2 text-ink-soft">{text}</p>
      </div>
    </div>
  );
}

/**
 * The film is in the page from the start, without controls until somebody wants to see it:
 * docs/decisions/021. Before scripts have loaded, the play sign is a link to the film.
 */
function OwnVideoPlayer({ film, title }: { film: OwnVideo; title: string }) {
  const [isAsked, setAsked] = useState(false);
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // The link that was followed is gone, and the keyboard must not be left nowhere.
    if (isAsked) player.current?.focus({ preventScroll: true });
  }, [isAsked]);
  const start = (event: MouseEvent) => {
    event.preventDefault();
    setAsked(true);
    const [captions] = player.current?.textTracks ?? [];
    if (captions) captions.mode = "showing";
    // If the browser refuses to start it, the reader still has the controls.
    player.current?.play().catch(() => {});
  };
  return (
    <div className="relative">
      <div className="script-only">
        <Player film={film} title={title} controls={isAsked} ref={player} />
        {!isAsked && (
          <a
            href={film.sources.at(-1)?.src}
            className="video-link"
            aria-label={`Play the film: ${title}`}
            onClick={start}
          >
            <span className="video-play">
              <PlayIcon />
            </span>
          </a>
        )}
      </div>
      <noscript>
        <Player film={film} title={title} controls />
      </noscript>
    </div>
  );
}

type PlayerProps = {
  film: OwnVideo;
  title: string;
  controls: boolean;
  ref?: Ref<HTMLVideoElement>;
};

function Player({ film: { sources, captions, poster }, title, controls, ref }: PlayerProps) {
  return (
    <video
      ref={ref}
      className="video-player aspect-video w-full rounded-sm bg-night object-cover"
      controls={controls}
      playsInline
      preload="none"
      // React has no type for it on a video yet. Where browsers know it, the poster does not
      // compete with the hero.
      {...{ loading: "lazy" }}
      poster={artPath(poster.file)}
      width={poster.width}
      height={poster.height}
      aria-label={title}
    >
      {sources.map(({ src, type }) => (
        <source key={src} src={src} type={type} />
      ))}
      {/* A default track is fetched with the page, also when nobody watches the film. */}
      <track kind="captions" srcLang="en-US" label="English" src={captions} default={controls} />
      <a href={sources[0]?.src} download>
        Download the film
      </a>
    </video>
  );
}
