const hosts = new Set([
  "youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "youtu.be",
]);
const videoId = /^[\w-]{11}$/;
const idInPath = /^\/(?:shorts|embed|live|v)\/([^/]+)\/?$/;

/** Returns the id of a video from any form of URL that YouTube uses, or null without one. */
export function findYoutubeId(videoUrl: string): string | null {
  const url = URL.parse(videoUrl.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/^www\./, "");
  if (!hosts.has(host)) return null;
  const id =
    host === "youtu.be"
      ? url.pathname.slice(1).replace(/\/$/, "")
      : url.pathname === "/watch"
        ? url.searchParams.get("v")
        : idInPath.exec(url.pathname)?.[1];
  return id && videoId.test(id) ? id : null;
}

/**
 * This form of the URL asks the player to set no cookies before playback, to suggest no videos from
 * other channels at the end, and to show little branding.
 */
export const youtubePlayerUrl = (id: string) =>
  `https://www.youtube-nocookie.com/embed/${id}?rel=0&modestbranding=1`;

export const youtubePage = (id: string) => `https://www.youtube.com/watch?v=${id}`;
