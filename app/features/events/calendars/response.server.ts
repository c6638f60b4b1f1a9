import { crossOriginHeaders } from "../../../lib/http/cross-origin.server.ts";

/** With a file name, browsers download the calendar. Otherwise programs subscribe to it. */
export function calendarResponse(text: string, fileName?: string): Response {
  return new Response(text, {
    headers: {
      ...crossOriginHeaders,
      "Content-Type": "text/calendar; charset=utf-8",
      ...(fileName
        ? { "Content-Disposition": `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, "")}"` }
        : {}),
    },
  });
}
