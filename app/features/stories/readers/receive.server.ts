import { maxTextBytes } from "../../../lib/http/form-body.server.ts";
import { receiveUpload } from "../../../lib/http/upload.server.ts";
import type { Refusal } from "../../forms/model.ts";
import type { NoticeServices } from "../../forms/notice.server.ts";
import { type FieldErrors, type FormServices, receiveForm } from "../../forms/receive.server.ts";
import { chosenPictures, faultsOf, preparePictures } from "./images.server.ts";
import { maxPictureBytes, maxPictureMegabytes, maxPictures, pictureField } from "./model.ts";
import { keepStory, storyForm } from "./submissions.server.ts";

const maxFormBytes = maxPictures * maxPictureBytes + maxTextBytes;

/**
 * Takes a story with its pictures. They are opened only when everything else is right, since that
 * takes most work.
 */
export async function receiveStory(
  request: Request,
  services: FormServices & NoticeServices,
): Promise<{ kind: "kept" } | Refusal> {
  const { kind, form, done } = await receiveUpload(request, maxFormBytes, services.ipAddress);
  try {
    const chosen = chosenPictures(form);
    const found: FieldErrors =
      kind === "whole" ? await faultsOf(chosen) : { [pictureField(1)]: missingSentences[kind] };
    return await receiveForm(
      storyForm,
      form,
      services,
      async (story, key) => {
        const prepared = await preparePictures(chosen);
        if (prepared.kind === "refused") return prepared.errors;
        return keepStory(services, story, prepared.pictures, key);
      },
      found,
      kind !== "whole",
    );
  } finally {
    done();
  }
}

const missingSentences = {
  "too-large": `The pictures are too large. Each may have ${maxPictureMegabytes} MB. Please choose smaller ones.`,
  busy: "Many pictures are coming in just now. Please send yours again in a minute.",
};
