// Makes the partnership documents: a PDF and a picture of its first page from each Markdown text in documents/.
// Run it after a change of a text: `node_modules/.bin/node tools/render-documents.ts`.
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { renderMarkdown } from "../app/lib/markdown.server.ts";
import { browserFlags, findBrowser } from "../tests/support/browser.ts";

const city = join("sites", process.env.SITE ?? "baltimore");
const folder = join(city, "documents");

const style = `
  @page { size: Letter; margin: 20mm 22mm; }
  body { margin: 0; color: #15212f; font: 11.5pt/1.5 Georgia, "Liberation Serif", serif; }
  h1 { margin: 0 0 6mm; padding-top: 4mm; border-top: 2mm solid #e9b13c; color: #12263f; font-size: 25pt; line-height: 1.1; }
  h2 { margin: 5mm 0 1mm; color: #12263f; font-size: 14pt; }
  p, ul { margin: 2mm 0; }
  ul { padding-left: 5mm; }
  a { color: #17487a; }
`;

const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".md"))) {
    const { html } = renderMarkdown(await readFile(join(folder, name), "utf8"));
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1] ?? name;
    const id = basename(name, ".md");
    await page.setContent(
      `<!doctype html><html lang="en-US"><title>${title}</title><style>${style}</style><body>${html}`,
    );
    await page.pdf({
      path: join(folder, `${id}.pdf`),
      preferCSSPageSize: true,
      tagged: true,
      printBackground: true,
    });
    // On the screen there is no paper around the words.
    await page.addStyleTag({ content: "body { padding: 48px 64px; background: #fff; font-size: 19px; }" });
    const preview = sharp(await page.screenshot()).webp({ nearLossless: true, quality: 60 });
    await preview.toFile(join(city, "art", `${id}.webp`));
    console.log(`${id}: PDF and preview`);
  }
} finally {
  await browser.close();
}
