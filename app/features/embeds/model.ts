import { youtubePage, youtubePlayer } from "../../lib/external/youtube.ts";
import type { Image } from "../../lib/site/site-fields.server.ts";

/** A frame of another service, and all that stands in its place until a reader asks for it. */
export type EmbedContent = {
  service: { key: string; name: string };
  src: string;
  /** Where the content comes from, if it is not `src` itself. */
  contentUrl?: string;
  title: string;
  /** What is loaded, as in "Load the video". */
  thing: string;
  link: { label: string; url: string };
  poster: Image;
  /** Loads with the page, for cities that want it so. */
  eager: boolean;
  sandbox: string;
  allow: string;
};

/** What a player of another service needs, and no more: nothing that reaches the page around it. */
export const playerSandbox = "allow-scripts allow-same-origin allow-presentation allow-popups";
export const playerAllow = "fullscreen; picture-in-picture; encrypted-media";

/** YouTube's player of one video. */
export function youtubeEmbed(
  id: string,
  { title, poster, eager }: Pick<EmbedContent, "title" | "poster" | "eager">,
) {
  return {
    title,
    poster,
    eager,
    service: { key: "youtube", name: "YouTube" },
    src: youtubePlayer(id),
    thing: "the video",
    link: { label: "Watch on YouTube", url: youtubePage(id) },
    sandbox: playerSandbox,
    allow: playerAllow,
  } satisfies EmbedContent;
}
