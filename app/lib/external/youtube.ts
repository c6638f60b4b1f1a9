const hosts = new Set([
  "youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "youtu.be",
]);
const videoId = /^[\w-]{11}$/;
const idInPath = /^\/(?:shorts|embed|live|v)\/([^/]+)\/?$/;

/**
 * The eleven characters that name a video, from any of the addresses YouTube gives out; null if
 * there are none.
 */
export function youtubeId(address: string): string | null {
  const url = URL.parse(address.trim());
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
 * YouTube's player that sets no cookie before it plays: no videos of others at the end, little of
 * its name.
 */
export const youtubePlayer = (id: string) =>
  `https://www.youtube-nocookie.com/embed/${id}?rel=0&modestbranding=1`;

export const youtubePage = (id: string) => `https://www.youtube.com/watch?v=${id}`;
