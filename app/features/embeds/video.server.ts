import { findYoutubeId } from "../../lib/external/youtube.ts";
import type { Image, VideoFields } from "../../site-files/site-fields.server.ts";
import type { Embeds } from "./files.server.ts";
import { type EmbedContent, youtubeEmbed } from "./model.ts";

export type OwnVideo = {
  sources: { src: string; type: string }[];
  captions: string;
  poster: Image;
};

export type VideoContent = {
  title: string;
  text: string;
  player: { kind: "own"; video: OwnVideo } | { kind: "embed"; embed: EmbedContent };
};

/** What the video block shows: the YouTube video if the editor has named one, else our own. */
export function videoContent(fields: VideoFields, { eager }: Embeds): VideoContent {
  const { title, text, youtube, poster } = fields;
  const id = youtube === undefined ? null : findYoutubeId(youtube);
  if (id === null) return { title, text, player: { kind: "own", video: ownVideo(fields) } };
  const embed = youtubeEmbed(id, { title, poster, eager });
  return { title, text, player: { kind: "embed", embed } };
}

function ownVideo({ film, poster }: VideoFields): OwnVideo {
  return {
    sources: [
      { src: `/film/${film.webm}`, type: "video/webm" },
      { src: `/film/${film.mp4}`, type: "video/mp4" },
    ],
    captions: `/film/${film.captions}`,
    poster: { ...poster, alt: "" },
  };
}
