import { youtubePage, youtubePlayerUrl } from "../../lib/external/youtube.ts";
import type { Image } from "../../site-files/site-fields.server.ts";

/** A frame from another service, and what the page shows until a reader loads it. */
export type EmbedContent = {
  service: { key: string; name: string };
  src: string;
  /** The URL of the content, if `src` is not that URL. */
  contentUrl?: string;
  title: string;
  /** The object of the label "Load …", such as "the video". */
  noun: string;
  link: { label: string; url: string };
  poster: Image;
  /** Whether the frame loads with the page; the city sets this in embeds.yaml. */
  eager: boolean;
  sandbox: string;
  allow: string;
};

/**
 * The minimum permissions that an external player needs, as the `sandbox` attribute of its frame.
 * None of them gives the player access to our page.
 */
export const playerSandbox = "allow-scripts allow-same-origin allow-presentation allow-popups";
/** The browser features that an external player may use, as the `allow` attribute of its frame. */
export const playerAllow = "fullscreen; picture-in-picture; encrypted-media";

export function youtubeEmbed(
  id: string,
  { title, poster, eager }: Pick<EmbedContent, "title" | "poster" | "eager">,
) {
  return {
    title,
    poster,
    eager,
    service: { key: "youtube", name: "YouTube" },
    src: youtubePlayerUrl(id),
    noun: "the video",
    link: { label: "Watch on YouTube", url: youtubePage(id) },
    sandbox: playerSandbox,
    allow: playerAllow,
  } satisfies EmbedContent;
}
