import { z } from "zod";
import { findYoutubeId } from "../../lib/external/youtube.ts";
import { type Image, text, type VideoFields } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { type EmbedContent, youtubeEmbed } from "./model.ts";

/** A URL without a path, as a Content Security Policy lists it. */
const host = z
  .string()
  .regex(/^https?:\/\/[\w.-]+(:\d+)?$/, "must be like https://www.example.com, without a path");

/**
 * The services whose frames the city's pages may contain. The Content Security Policy of the pages
 * is built from the same list.
 */
export const embedsFile = siteFile(
  "embeds.yaml",
  z.strictObject({
    eager: z.boolean(),
    services: z.record(z.string(), z.strictObject({ name: text, hosts: z.array(host).min(1) })),
  }),
  {
    remarks: ({ eager }) =>
      eager
        ? [
            "embeds load with the page: other services see readers' IP addresses before readers ask for the embeds.",
          ]
        : [],
  },
);

export type Embeds = ValueOf<typeof embedsFile>;

/** The paragraph that the privacy page must show while embeds load with the page. */
export const embedDisclosures = ({ eager, services }: Embeds): string[] =>
  eager
    ? [
        `Videos and maps from ${Object.values(services)
          .map(({ name }) => name)
          .join(
            ", ",
          )} load together with the page that shows them, without asking you first. Where the text below says otherwise, this paragraph applies.`,
      ]
    : [];

export const frameSources = ({ services }: Embeds): string[] =>
  Object.values(services).flatMap(({ hosts }) => hosts);

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
  const { title, text, youtube, poster, film } = fields;
  const id = youtube === undefined ? null : findYoutubeId(youtube);
  if (id !== null) {
    const embed = youtubeEmbed(id, { title, poster, eager });
    return { title, text, player: { kind: "embed", embed } };
  }
  const video = {
    sources: [
      { src: `/film/${film.webm}`, type: "video/webm" },
      { src: `/film/${film.mp4}`, type: "video/mp4" },
    ],
    captions: `/film/${film.captions}`,
    poster: { ...poster, alt: "" },
  };
  return { title, text, player: { kind: "own", video } };
}
