import {
  UNSAFE_decodeViaTurboStream as decodeBody,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
} from "react-router";
import { createMemoryValue } from "../../lib/device/memory-value.ts";

/** How much of a form with files has been sent, from 0 to 1; null if none is being sent. */
export const uploadProgress = createMemoryValue<number | null>(null);

/**
 * Sends a form to the action of its page like React Router, which uses `fetch`. But `fetch` does
 * not report the progress of an upload, which can take minutes on a phone.
 */
export async function uploadForm<T>(request: Request, form: FormData): Promise<T> {
  const url = new URL(request.url);
  url.pathname += ".data";
  const response = await post(url, form, request.signal);
  const { status, statusText } = response;
  if (status >= 400 && !response.headers.has("X-Remix-Response"))
    throw new ErrorResponse(status, statusText, await response.text());
  if (!response.body) throw new TypeError("The response is empty.");
  const { value } = await decodeBody(response.body, window);
  // The response comes from our own server, so it has the type that React Router expects too.
  const result = value as { data: T } | { error: unknown };
  if ("error" in result) throw result.error;
  return result.data;
}

function post(url: URL, form: FormData, signal: AbortSignal): Promise<Response> {
  const request = new XMLHttpRequest();
  signal.addEventListener("abort", () => request.abort());
  return new Promise<Response>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => uploadProgress.write(loaded / total);
    request.onload = () => {
      const { status, statusText } = request;
      const headers = new Headers();
      const marker = request.getResponseHeader("X-Remix-Response");
      if (marker) headers.set("X-Remix-Response", marker);
      resolve(new Response(request.response, { status, statusText, headers }));
    };
    request.onloadend = () => {
      uploadProgress.write(null);
      // After `onload` this has no effect.
      reject(new TypeError("The connection failed."));
    };
    uploadProgress.write(0);
    request.open("POST", url);
    request.responseType = "blob";
    request.send(form);
  });
}
