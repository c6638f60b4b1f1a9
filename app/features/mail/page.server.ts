import { escapeHtml } from "../../lib/text/html.ts";

/** The name of the site, as its pages show it. */
export type MailBrand = { shortName: string; city: string; origin: string };

/**
 * The HTML of an email. Mail programs support only the HTML of twenty years ago: the layout is a
 * table, and each element has an inline style. The <style> element contains only the colors of the
 * dark theme, because some programs ignore it.
 */
export function mailPage(brand: MailBrand, heading: string, parts: string[], preview = ""): string {
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #0d1826 !important; }
  .sheet { background: #142338 !important; color: #f0eadd !important; }
  .name { color: #f0eadd !important; }
  .soft { color: #b4bfca !important; }
  .link { color: #93c6ef !important; }
  .rule { border-color: #2b3e55 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fbf8f1">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#fbf8f1"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="sheet" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background:#ffffff;color:#15212f;border-top:6px solid #e9b13c"><tr><td style="padding:28px 24px 32px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;text-align:left">
${wordmark(brand)}
<h1 style="margin:20px 0 0;font-family:Georgia,'Times New Roman',serif;font-size:28px;line-height:1.2;font-weight:bold">${escapeHtml(heading)}</h1>
${parts.join("\n")}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

/** In letters, because mail programs load images from a server only if the reader allows it. */
const wordmark = ({ shortName, city, origin }: MailBrand) =>
  `<p style="margin:0;font-family:Georgia,'Times New Roman',serif;font-size:22px;line-height:1.2"><a class="name" href="${escapeHtml(origin)}" style="color:#15212f;text-decoration:none"><b>${escapeHtml(shortName)}</b> <span class="soft" style="font-family:Arial,Helvetica,sans-serif;font-size:12px;letter-spacing:2px;text-transform:uppercase;color:#4a5664">${escapeHtml(city)}</span></a></p>`;
