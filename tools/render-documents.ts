// Renders the partnership documents: a PDF and an image of its first page from each Markdown file
// in documents/. Run this script after you edit one of them: `node_modules/.bin/node
// tools/render-documents.ts`.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { lookFile } from "../app/features/brand/feature.server.ts";
import { withoutNewTabNotes } from "../app/lib/links/external-links.ts";
import { renderMarkdown } from "../app/lib/text/markdown.server.ts";
import { browserFlags, findBrowser } from "../tests/support/browser.ts";
import { pairs, readFontFile } from "./outlines.ts";

const city = join("sites", process.env.SITE ?? "baltimore");
const folder = join(city, "documents");
const look = lookFile.parse(await readFile(join(city, "brand.yaml"), "utf8"));
if (!look.ok) throw new Error("brand.yaml has a mistake: run ./newsroom validate");
const { fonts, colors } = look.value;

/** Chromium writes a variable font into a PDF as bare outlines, without the name of the font. */
async function createFontFace(family: "Serif" | "Sans", weight: number): Promise<string> {
  const data = Buffer.from(await readFontFile(pairs[fonts][family], weight)).toString("base64");
  return `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url("data:font/ttf;base64,${data}"); }`;
}

const style = `
  ${await createFontFace("Serif", 600)}
  ${await createFontFace("Sans", 400)}
  @page { size: Letter; margin: 17mm 22mm; }
  body { margin: 0; color: ${colors.ink.light}; font: 10pt/1.45 "Sans"; }
  h1, h2 { color: ${colors.band.light}; font-family: "Serif"; font-weight: 600; letter-spacing: -0.012em; break-after: avoid; }
  h1 { margin: 0 0 6mm; padding-top: 4mm; border-top: 2mm solid ${colors.highlight.light}; font-size: 28pt; line-height: 1.1; }
  h2 { margin: 4mm 0 1mm; font-size: 15pt; }
  p, ul { margin: 1.7mm 0; }
  ul { padding-left: 5mm; }
  a { color: ${colors.accent.light}; }
`;

const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".md"))) {
    const html = withoutNewTabNotes(
      renderMarkdown(await readFile(join(folder, name), "utf8")).html,
    );
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? name;
    const id = basename(name, ".md");
    await page.setContent(
      `<!doctype html><html lang="en-US"><title>${title}</title><style>${style}</style><body>${html}`,
    );
    await page.evaluate(() => document.fonts.ready);
    const pdf = await page.pdf({ preferCSSPageSize: true, tagged: true, printBackground: true });
    await writeFile(join(folder, `${id}.pdf`), removeDates(pdf));
    // The preview has no page margins, so it needs padding around the text.
    await page.addStyleTag({
      content: "body { padding: 48px 64px; background: #fff; font-size: 18px; }",
    });
    const preview = sharp(await page.screenshot()).webp({ nearLossless: true, quality: 60 });
    await preview.toFile(join(city, "art", `${id}.webp`));
    console.log(`${id}: PDF and preview`);
  }
} finally {
  await browser.close();
}

/** With spaces in place of dates, the same text always gives the same file and positions of bytes. */
function removeDates(pdf: Buffer): Buffer {
  const text = pdf.toString("latin1");
  const dates = /\/(?:CreationDate|ModDate) \([^)]{1,40}\)/g;
  return Buffer.from(
    text.replace(dates, (date) => " ".repeat(date.length)),
    "latin1",
  );
}
