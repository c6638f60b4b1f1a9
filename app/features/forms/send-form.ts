import {
  data,
  UNSAFE_decodeViaTurboStream as decodeBody,
  UNSAFE_ErrorResponseImpl as ErrorResponse,
  isRouteErrorResponse,
} from "react-router";
import { createMemoryValue } from "../../lib/device/device-value.ts";
import { hasFiles, type Refusal, readTypedValues } from "./model.ts";
import { deleteUnsentForm, storeUnsentForm } from "./unsent/unsent-form.ts";

const connectionError =
  "We do not know whether your form reached us. Nothing you typed is lost. Please check your connection, wait a minute and press the button again. We will not receive it twice.";
const serverError =
  "Something went wrong on our server. Nothing you typed is lost. Please wait a minute and press the button again.";

/**
 * Sends a form from the browser. If the network fails or a limit is reached, the reader sees the
 * form with everything they typed, not an error page. With the form's `path`, the browser also
 * stores what they typed until the form is sent. A form with files does not go through
 * `serverAction`, which is React Router's: `uploadForm` sends it.
 */
export async function sendForm<T>(
  request: Request,
  serverAction: () => Promise<T>,
  path?: string,
  unknownResult = connectionError,
) {
  const form = await request.clone().formData();
  try {
    const result = await (hasFiles(form) ? uploadForm<T>(request, form) : serverAction());
    if (path && isStored(result)) deleteUnsentForm(path);
    return result;
  } catch (error) {
    // This is a redirect; the router follows it.
    if (error instanceof Response) throw error;
    const summary = describeFailure(error, unknownResult);
    if (path && [unknownResult, serverError].includes(summary))
      storeUnsentForm(path, form, { mayHaveArrived: true, now: Date.now() });
    const refusal: Refusal = {
      kind: "refused",
      status: 503,
      summary,
      errors: {},
      typed: readTypedValues(form),
    };
    // With an error status, the router does not reload the page. A reload would fail as well.
    return data(refusal, { status: refusal.status });
  }
}

/**
 * Returns what our server says about a form that it refused, or that it failed. A proxy responds
 * with HTML or, if it cannot reach our server, with one of these statuses.
 */
export function describeFailure(error: unknown, unknownResult: string): string {
  if (isRouteErrorResponse(error)) {
    if (typeof error.data !== "string") return serverError;
    const isOfProxy = [502, 504].includes(error.status) || error.data.trimStart().startsWith("<");
    return isOfProxy ? unknownResult : error.data;
  }
  // React Router sends this message instead of that of an error of the server.
  const isOfServer = error instanceof Error && error.message === "Unexpected Server Error";
  return isOfServer ? serverError : unknownResult;
}

const isStored = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "kind" in result && result.kind === "stored";

/** How much of a form with files has been sent, from 0 to 1; null if none is being sent. */
export const uploadProgress = createMemoryValue<number | null>(null);

/**
 * Sends a form to the action of its page like React Router, but with XMLHttpRequest: `fetch` does
 * not report the progress of an upload, which can take minutes on a phone.
 */
async function uploadForm<T>(request: Request, form: FormData): Promise<T> {
  const url = new URL(request.url);
  url.pathname += ".data";
  const response = await post(url, form, request.signal);
  const { status, statusText } = response;
  if (status >= 400 && !response.headers.has("X-Remix-Response"))
    throw new ErrorResponse(status, statusText, await response.text());
  if (!response.body) throw new TypeError("The response is empty.");
  const { value } = await decodeBody(response.body, window);
  // The cast is safe because our own server sends this type, which React Router also expects.
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
      // If `onload` has resolved the promise already, this has no effect.
      reject(new TypeError("The connection failed."));
    };
    uploadProgress.write(0);
    request.open("POST", url);
    request.responseType = "blob";
    request.send(form);
  });
}
