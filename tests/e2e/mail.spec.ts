import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "@playwright/test";
import sharp from "sharp";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { parseMail, type ReceivedMail } from "../support/received-mail.ts";
import { startSmtpServer, type TestSmtpServer } from "../support/smtp-server.ts";
import { createAxe, expect } from "./support.ts";

const origin = "https://baltimore.harborline.example";
const title = "The Night Ferry Comes Back to Canton";
const story = `---
title: ${title}
excerpt: Sixty seats, a bar and a bell. The first boat leaves at dusk.
category: Neighborhoods
date: 2026-11-17
image: { file: ferry.jpg, alt: A white ferry at a pier, credit: Ann Lee }
---
The first paragraph.
`;
const event = (name: string, day: string) => `---
title: ${name}
excerpt: With a chair from home.
category: Music
location: Pier 5
starts: { on: ${day}, at: "19:00" }
ends: { on: ${day}, at: "22:00" }
free: true
image: { file: arabber.svg, alt: A horse }
---
Text.
`;

test.describe.configure({ mode: "default" });
let smtp: TestSmtpServer;
let city: TestCity;
test.beforeAll(async () => {
  smtp = await startSmtpServer();
  // A Wednesday, on which no issue is sent automatically: seven in the morning in Baltimore.
  const env = { SMTP_URL: smtp.url, FAKE_NOW: "2026-11-18T12:00:00Z" };
  city = await startCity({}, env);
  await sharp({ create: { width: 1_600, height: 1_000, channels: 3, background: "#396aa8" } })
    .jpeg()
    .toFile(join(city.siteFolder, "news/ferry.jpg"));
  await city.save("news/night-ferry.md", story);
  await city.save("events/pier-jazz.md", event("Jazz on the Pier", "2026-11-18"));
  await city.save("events/pier-films.md", event("Films on the Pier", "2026-11-20"));
});
test.afterAll(async () => {
  await city?.close();
  await smtp?.close();
});

async function receiveIssue(now: string): Promise<ReceivedMail> {
  await city.server.setClock(now);
  const args = ["newsletter", "send", "--test", "reader@example.com"];
  expect(await runInServer(city.dataDir, args)).toMatchObject({ code: 0 });
  return parseMail(smtp.accepted.at(-1)?.content ?? "");
}

test("the newsletter greets by the hour in the city, and both of its parts have tonight's events and the same links", async () => {
  const greetings = [
    ["2026-11-18T12:00:00Z", "Good morning, Baltimore."],
    ["2026-11-18T17:00:00Z", "Good afternoon, Baltimore."],
    ["2026-11-18T22:00:00Z", "Good evening, Baltimore."],
  ] as const;
  for (const [now, greeting] of greetings) {
    const { text, html } = await receiveIssue(now);
    for (const part of [text, html]) {
      expect(part).toContain(greeting);
      expect(part).toContain(title);
      expect(part).toContain("A white ferry at a pier");
      expect(part).toContain("Photo: Ann Lee");
      expect(part.toLowerCase()).toContain("tonight, wednesday, november 18");
      expect(part).toContain("7:00 PM – 10:00 PM · Pier 5 · free");
      expect(part).toContain("Friday, November 20 · 7:00 PM – 10:00 PM · Pier 5 · free");
      expect(part).not.toContain("{{");
    }
    const linksOf = (part: string) =>
      new Set([...part.matchAll(/https:\/\/[^\s"<]+/g)].map(([link]) => link));
    const images = [...html.matchAll(/src="([^"]+)"/g)].map(([, source]) => source);
    expect(images).toEqual([expect.stringMatching(`^${origin}/photos/news/ferry.jpg/960.jpg`)]);
    const [inText, inHtml] = [linksOf(text), linksOf(html)];
    // The name of the site leads to its front page, and the photo is an image.
    for (const link of [origin, ...images]) inHtml.delete(link ?? "");
    expect(inHtml).toEqual(inText);
    expect(inText).toContain(`${origin}/newsletter/unsubscribe`);
  }
});

test("the newsletter fits phones and windows, in light and dark, with and without its photo", async ({
  page,
}, testInfo) => {
  const { html } = await receiveIssue("2026-11-18T12:00:00Z");
  await writeFile(testInfo.outputPath("newsletter.html"), html);
  const requests: string[] = [];
  let hasImages = true;
  await page.route("**/*", async (route) => {
    const url = route.request().url();
    requests.push(url);
    if (!hasImages) return route.abort();
    const response = await fetch(url.replace(origin, city.server.url));
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, contentType: "image/jpeg", body });
  });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 600, 700]) {
      await page.setViewportSize({ width, height: 900 });
      await page.setContent(html);
      const photo = page.getByRole("img", { name: "A white ferry at a pier" });
      await expect
        .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(960);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const box = await photo.boundingBox();
      expect(box?.width).toBeGreaterThan(Math.min(width, 600) * 0.85);
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(1.6, 1);
      expect((await createAxe(page).withRules(["color-contrast"]).analyze()).violations).toEqual(
        [],
      );
      const path = testInfo.outputPath(`${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  expect(requests.every((url) => url.startsWith(`${origin}/photos/`))).toBe(true);
  hasImages = false;
  await page.setContent(html);
  await expect(page.getByRole("link", { name: title })).toBeVisible();
  await expect(page.getByRole("link", { name: "Jazz on the Pier" })).toBeVisible();
});

test("the email with a reader's message fits phones and windows, in light and dark", async ({
  page,
}) => {
  const email = "editor@example.com";
  await city.save("desk.yaml", `editors: [{ name: Ana, email: ${email} }]\n`);
  await city.server.setClock("2026-11-18T12:00:00Z");
  const form = await (await fetch(`${city.server.url}/contact/form`)).text();
  await city.server.setClock("2026-11-18T12:01:00Z");
  const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? "";
  const message = `Look at https://example.com/${"long".repeat(40)}\n\n<b>Second</b> paragraph.`;
  const body = new URLSearchParams({ token, category: "other", message, email, name: "Cy" });
  await fetch(`${city.server.url}/contact/form`, { method: "POST", body });
  const findMail = () => smtp.accepted.find(({ to }) => to === email)?.content;
  await expect.poll(findMail).toBeDefined();
  const { html } = parseMail(findMail() ?? "");
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 600]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.setContent(html);
      await expect(page.getByText("<b>Second</b> paragraph.")).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect((await createAxe(page).withRules(["color-contrast"]).analyze()).violations).toEqual(
        [],
      );
    }
  const link = page.getByRole("link", { name: "Open at the desk" });
  expect(await link.getAttribute("href")).toContain(`${origin}/desk/waiting/message/`);
});
