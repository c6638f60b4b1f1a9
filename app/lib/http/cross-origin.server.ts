/** Lets scripts and pages of other sites read the response. */
export const crossOriginHeaders = {
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
};
