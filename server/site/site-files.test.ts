import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { siteSettingsFile } from "../../app/features/brand/files.server.ts";
import { faqFile } from "../../app/features/faq/files.server.ts";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { openSite } from "./site-files.ts";
import { readImages } from "./site-images.ts";

const folder = await temporaryFolder();
const city = join(folder.path, "city");
afterEach(() => folder.remove());

it("a site starts with the last good version of broken or missing files, and logs that", async () => {
  await cp("sites/baltimore", city, { recursive: true });
  const lines: string[] = [];
  const openAndStop = async () => {
    const site = await openSite(city, [siteSettingsFile, faqFile, newsFolder], {
      images: readImages(city),
      log: createLog({ write: (line) => lines.push(line) }),
      onChange() {},
      async prepareMedia() {},
      track: (_name, work) => work(),
      lastGoodFolder: join(folder.path, "last-good"),
    });
    site.stop();
    return site;
  };
  await openAndStop();
  const faq = join(city, "faq.yaml");
  await writeFile(faq, `# Checked by the editors\n${await readFile(faq, "utf8")}`);
  const readCopyTime = async () => (await stat(join(folder.path, "last-good/site.yaml"))).mtimeMs;
  const siteCopied = await readCopyTime();
  const before = await openAndStop();
  expect(await readFile(join(folder.path, "last-good/faq.yaml"), "utf8")).toContain(
    "# Checked by the editors",
  );
  expect(await readCopyTime(), "a file that has not changed is not copied again").toBe(siteCopied);
  await writeFile(join(city, "faq.yaml"), "\theading: FAQ\n");
  await writeFile(join(city, "news/trash-wheel.md"), "---\ntitle: Half a st");
  await rm(join(city, "site.yaml"));
  const after = await openAndStop();
  expect(after.read(faqFile)).toEqual(before.read(faqFile));
  expect(after.read(siteSettingsFile)).toEqual(before.read(siteSettingsFile));
  expect(after.readAll(newsFolder)).toEqual(before.readAll(newsFolder));
  for (const file of ["faq.yaml", "news/trash-wheel.md", "site.yaml"])
    expect(lines.join("")).toContain(`"event":"site.invalid_kept_last_good","file":"${file}"`);

  await rm(join(folder.path, "last-good"), { recursive: true });
  await expect(openAndStop()).rejects.toThrow("The site files have problems");
});
