import { type MouseEvent, type Ref, useEffect, useRef, useState } from "react";
import { artPath, isImageAvailable } from "../../lib/images/art.ts";
import { toSinglePath } from "../../lib/images/photos.ts";
import { PlayIcon } from "../../ui/icons.tsx";
import { Embed } from "./embed.tsx";
import type { OwnVideo, VideoContent } from "./files.server.ts";

/** Our own video, or a video on another service. Neither plays until the reader asks. */
export function Video({ video: { title, text, player } }: { video: VideoContent }) {
  return (
    <div className="mt-4 items-center md:grid md:grid-cols-[2fr_3fr] md:gap-8 xl:grid-cols-[9fr_11fr]">
      {player.kind === "own" ? (
        <OwnVideoPlayer video={player.video} title={title} />
      ) : (
        <Embed content={player.embed} className="aspect-video" />
      )}
      <div className="mt-4 md:mt-0">
        <h3 className="text-2xl xl:text-3xl">{title}</h3>
        <p className="mt-2 text-ink-soft md:text-lg">{text}</p>
      </div>
    </div>
  );
}

/**
 * The video gets its controls when the reader presses play: see docs/decisions/021. Before scripts
 * have loaded, the play button is a link to the video file.
 */
function OwnVideoPlayer({ video, title }: { video: OwnVideo; title: string }) {
  const [isStarted, setStarted] = useState(false);
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // The play link that had the focus is gone, so the focus moves to the player.
    if (isStarted) player.current?.focus({ preventScroll: true });
  }, [isStarted]);
  const start = (event: MouseEvent) => {
    event.preventDefault();
    setStarted(true);
    const [captions] = player.current?.textTracks ?? [];
    if (captions) captions.mode = "showing";
    // If the browser does not allow the video to start, the reader can still use the controls.
    player.current?.play().catch(() => {});
  };
  return (
    <div className="relative">
      <div className="script-only">
        <Player video={video} title={title} controls={isStarted} ref={player} />
        {!isStarted && (
          <a
            href={video.sources.at(-1)?.src}
            className="video-link"
            aria-label={`Play the video: ${title}`}
            data-tooltip="Play the video"
            onClick={start}
          >
            <span className="video-play">
              <PlayIcon />
            </span>
          </a>
        )}
      </div>
      <noscript>
        <Player video={video} title={title} controls />
      </noscript>
    </div>
  );
}

type PlayerProps = {
  video: OwnVideo;
  title: string;
  controls: boolean;
  ref?: Ref<HTMLVideoElement>;
};

function Player({ video: { sources, captions, poster }, title, controls, ref }: PlayerProps) {
  return (
    <video
      ref={ref}
      className="video-player aspect-video w-full rounded-sm bg-night object-cover"
      controls={controls}
      playsInline
      preload="none"
      // React has no type for this attribute on a video yet. In browsers that support it, the
      // poster does not compete with the hero image for bandwidth.
      {...{ loading: "lazy" }}
      poster={isImageAvailable(poster) ? toSinglePath(artPath(poster.file)) : undefined}
      width={poster.width}
      height={poster.height}
      aria-label={title}
    >
      {sources.map(({ src, type }) => (
        <source key={src} src={src} type={type} />
      ))}
      {/* A default track would be fetched with the page, even if nobody watches the video. */}
      <track kind="captions" srcLang="en-US" label="English" src={captions} default={controls} />
      <a href={sources[0]?.src} download>
        Download the video
      </a>
    </video>
  );
}
