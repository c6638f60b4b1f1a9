export const crossOriginHeaders = {
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
};

/** A calendar to subscribe to or, with a file name, a file to download. */
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
