import { useEffect, useRef, useState } from "react";
import { artPath } from "../../lib/art.ts";
import { ArtPicture } from "../../ui/art-picture.tsx";
import { PlayIcon } from "../../ui/icons.tsx";
import { Embed } from "./embed.tsx";
import type { FilmContent, VideoContent } from "./video.server.ts";

/** Our own film in the browser's own player, or a video of another service. Neither plays unasked. */
export function Video({ video: { title, text, player } }: { video: VideoContent }) {
  return (
    <div className="mt-6 lg:grid lg:grid-cols-[3fr_1fr] lg:gap-8">
      {player.kind === "film" ? (
        <Film film={player.film} title={title} />
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

/** A picture until somebody wants to see the film: docs/decisions/020. Before scripts have come it is a link to the film. */
function Film({ film, title }: { film: FilmContent; title: string }) {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <Player film={film} title={title} isAsked />;
  return (
    <div className="relative">
      <a
        href={film.sources.at(-1)?.src}
        className="film-link script-only"
        aria-label={`Play the film: ${title}`}
        onClick={(event) => {
          event.preventDefault();
          setAsked(true);
        }}
      >
        <ArtPicture picture={film.poster} load="later" className="aspect-video w-full object-cover" />
        <span className="film-sign">
          <PlayIcon />
        </span>
      </a>
      <noscript>
        <Player film={film} title={title} isAsked={false} />
      </noscript>
    </div>
  );
}

function Player({ film, title, isAsked }: { film: FilmContent; title: string; isAsked: boolean }) {
  const { sources, captions, poster } = film;
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // The link that was followed is gone, and the keyboard would stand nowhere.
    if (isAsked) player.current?.focus();
  }, [isAsked]);
  return (
    <video
      ref={player}
      className="aspect-video w-full rounded-sm bg-night"
      controls
      playsInline
      autoPlay={isAsked}
      preload="none"
      poster={artPath(poster.file)}
      width={poster.width}
      height={poster.height}
      aria-label={title}
    >
      {sources.map(({ src, type }) => (
        <source key={src} src={src} type={type} />
      ))}
      <track kind="captions" srcLang="en-US" label="English" src={captions} default />
      <a href={sources[0]?.src}>Download the film</a>
    </video>
  );
}
