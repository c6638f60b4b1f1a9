import { busyMessage, type PostedForm } from "../../../lib/form.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Refusal } from "../../forms/model.ts";
import type { NoticeServices } from "../../forms/notice.server.ts";
import { type FieldErrors, type FormServices, receiveForm } from "../../forms/receive.server.ts";
import { findFileErrors, prepareImages, readChosenImages } from "./images.server.ts";
import { altField, imageField, maxImageMegabytes } from "./model.ts";
import { storeStory, storyForm } from "./submissions.server.ts";

/**
 * Receives a story with its images. The images are decoded last, when everything else is valid,
 * because decoding takes the most work.
 */
export async function receiveStory(
  { kind, form }: PostedForm,
  services: FormServices & NoticeServices,
): Promise<{ kind: "stored" } | Refusal> {
  const chosen = readChosenImages(form);
  const fileErrors: FieldErrors =
    kind === "whole" ? await findFileErrors(chosen) : { [imageField]: uploadErrors[kind] };
  return receiveForm(
    storyForm,
    form,
    services,
    async (story, key, network) => {
      const prepared = await prepareImages(chosen);
      if (prepared.kind === "refused") return prepared.errors;
      const images = prepared.images.map((image, index) => ({
        ...image,
        alt: toSafeLine(story[altField(index + 1)] ?? ""),
      }));
      return storeStory(services, story, images, key, network);
    },
    { knownErrors: fileErrors, isIncomplete: kind !== "whole" },
  );
}

const uploadErrors = {
  "too-large": `The photos are too large. Each can have up to ${maxImageMegabytes} MB. Please choose smaller ones.`,
  busy: busyMessage,
};
