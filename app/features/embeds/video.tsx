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

function Film({ film, title }: { film: FilmContent; title: string }) {
  const { sources, captions, poster, width, height } = film;
  return (
    <video
      className="aspect-video w-full rounded-sm bg-night"
      controls
      playsInline
      preload="none"
      {...{ poster, width, height }}
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
