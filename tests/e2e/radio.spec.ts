import type { Page } from "@playwright/test";
import { browserFlags, findBrowser } from "../support/browser.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { desktop, expect, phone, test, waitForHydration } from "./support.ts";

// Block autoplay as a reader's browser does. A headless browser would play any audio.
test.use({
  launchOptions: {
    executablePath: findBrowser(),
    args: [...browserFlags, "--autoplay-policy=document-user-activation-required"],
  },
});

// In one worker, because these flags need a browser of their own.
test.describe.configure({ mode: "default" });

const streamUrl = "**/api/stream?port=8076";

/** Returns how many seconds of audio the browser has decoded and played. */
const readPlayedSeconds = (page: Page) =>
  page.evaluate(() => document.querySelector("audio")?.currentTime ?? 0);
const readAudioSource = (page: Page) =>
  page.evaluate(() => document.querySelector("audio")?.getAttribute("src"));
const readVolume = (page: Page) =>
  page.evaluate(() => {
    const { volume, muted } = document.querySelector("audio") ?? {};
    return { volume, muted };
  });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const status = (page: Page) => page.getByRole("status").filter({ hasText: /\w/ });

async function expectAudio(page: Page): Promise<void> {
  const before = await readPlayedSeconds(page);
  await expect.poll(() => readPlayedSeconds(page)).toBeGreaterThan(before + 0.3);
}

test("a listener plays the radio, changes the volume, opens other pages without a gap, and stops it", async ({
  page,
}) => {
  const requestedPaths: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) requestedPaths.push(new URL(request.url()).pathname);
  });
  await page.setViewportSize(phone);
  await page.goto("/radio");
  await waitForHydration(page);
  for (const text of [
    "24/7 live stream",
    "Live programming from our station stream.",
    "browsers block autoplay with sound",
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Live Radio");
  await expect(page.getByRole("heading", { name: "Now Playing" })).toBeVisible();
  await expect(status(page)).toHaveText("Stopped");
  const lamp = page.locator(".radio-on-air");
  await expect(lamp, "the on-air lamp is dark").toHaveCSS("opacity", "0");
  expect(requestedPaths).toEqual([]);
  await page.emulateMedia({ forcedColors: "active" });
  const border = await button(page, "Play").evaluate((element) => {
    const { borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(element);
    return {
      isVisible: borderTopColor !== backgroundColor,
      width: Number.parseFloat(borderTopWidth),
    };
  });
  expect(border.isVisible, "the button has a border in forced colors").toBe(true);
  expect(border.width).toBeGreaterThanOrEqual(1);
  await page.emulateMedia({ forcedColors: "none" });

  await button(page, "Play").press("Enter");
  await expect(status(page)).toHaveText("Playing live");
  await expectAudio(page);
  await expect(lamp).toHaveCSS("opacity", "1");
  await expect(page.getByText("Live programming from our station stream.")).toBeVisible();
  const title = page.getByText(/^Harborline Radio – \w/);
  await expect(title).toBeVisible();
  const [, trackTitle = ""] = (await title.textContent())?.split(" – ") ?? [];
  expect(await page.evaluate(() => navigator.mediaSession.playbackState)).toBe("playing");

  const slider = page.getByRole("slider", { name: "Volume" });
  await expect(slider).toHaveValue("0.9");
  await slider.press("ArrowLeft");
  expect(await readVolume(page)).toEqual({ volume: 0.89, muted: false });
  await button(page, "Mute").click();
  await expect(slider).toHaveValue("0");
  expect(await readVolume(page)).toMatchObject({ muted: true });
  await slider.press("ArrowRight");
  await expect(button(page, "Mute")).toBeVisible();
  expect(await readVolume(page)).toEqual({ volume: 0.01, muted: false });
  await slider.fill("0.5");
  await button(page, "Mute").click();
  await button(page, "Unmute").click();
  await expect(slider).toHaveValue("0.5");

  await page.getByRole("link", { name: "Back to Harborline Baltimore" }).click();
  const bar = page.getByRole("complementary", { name: "Radio" });
  await expect(bar).toContainText(trackTitle);
  await expect(bar.getByRole("button", { name: "Close" })).toHaveCount(0);
  await expectAudio(page);
  await page.getByRole("link", { name: "Latest News" }).first().scrollIntoViewIfNeeded();
  await bar.getByRole("button", { name: "Mute" }).click();
  expect(await readVolume(page)).toEqual({ volume: 0.5, muted: true });
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar).toContainText("Stopped");
  expect(await readAudioSource(page)).toBeNull();
  await bar.getByRole("button", { name: "Play" }).click();
  await expectAudio(page);
  expect(requestedPaths.filter((path) => path === "/api/stream")).toHaveLength(2);
  await bar.getByRole("button", { name: "Pause" }).click();
  await bar.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Live Radio" })).toBeVisible();
  await expect(bar).toBeHidden();
  await page.getByRole("link", { name: "Back to Harborline Baltimore" }).click();
  await expect(page.getByRole("heading", { name: "Featured Video" })).toBeVisible();
  await expect(bar).toBeHidden();

  await page.goBack();
  await button(page, "Play").click();
  await page.goForward();
  await bar.getByRole("button", { name: "Pause" }).click();
  await bar.getByRole("button", { name: "Close" }).press("Enter");
  await expect(bar).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
});

test("the radio that is started last stops the one in another tab", async ({ page, context }) => {
  const other = await context.newPage();
  for (const each of [page, other]) {
    await each.goto("/radio");
    await waitForHydration(each);
    await button(each, "Play").click();
    await expectAudio(each);
  }
  await expect(button(page, "Play")).toBeVisible();
  expect(await readAudioSource(page)).toBeNull();
  await expect(button(other, "Pause")).toBeVisible();
});

test("the sleep timer shows the remaining time on every page, fades out and stops the radio", async ({
  page,
}) => {
  await page.clock.install();
  await page.setViewportSize(phone);
  await page.goto("/radio");
  await waitForHydration(page);
  const timer = page.getByLabel("Sleep timer");
  await expect(timer).toBeDisabled();
  await button(page, "Play").click();
  await expectAudio(page);
  // From now on, time passes only when the test advances the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await timer.focus();
  await page.keyboard.press("3");
  await expect(timer).toHaveValue("running");
  await expect(timer.locator("option:checked")).toHaveText("30 min left");
  const announcement = page.getByText("The radio will stop in 30 minutes.");
  await expect(announcement).toHaveRole("status");
  await timer.selectOption("15 minutes");
  await expect(page.getByText("The radio will stop in 15 minutes.")).toHaveRole("status");
  await timer.selectOption("Off");
  await expect(timer).toHaveValue("0");
  await timer.selectOption("15 minutes");
  await page.clock.fastForward("10:00");
  await expect(timer.locator("option:checked")).toHaveText("5 min left");

  await page.getByRole("link", { name: "Back to Harborline Baltimore" }).click();
  const bar = page.getByRole("complementary", { name: "Radio" });
  await expect(bar.getByText("5 min", { exact: true })).toBeVisible();
  await expectAudio(page);
  await page.clock.fastForward("04:52");
  await page.clock.runFor(4_000);
  await expect.poll(async () => (await readVolume(page)).volume).toBeLessThan(0.7);
  await page.clock.runFor(5_000);
  await expect(bar).toContainText("Stopped");
  expect(await readAudioSource(page)).toBeNull();
  expect(await readVolume(page), "the next start is as loud as before").toMatchObject({
    volume: 0.9,
  });

  await page.clock.resume();
  // A pause cancels the timer.
  await bar.getByRole("button", { name: "Play" }).click();
  await expectAudio(page);
  await bar.getByLabel("Sleep timer").selectOption("60 minutes");
  await bar.getByRole("button", { name: "Pause" }).click();
  await bar.getByRole("button", { name: "Play" }).click();
  await expectAudio(page);
  await expect(bar.getByLabel("Sleep timer")).toHaveValue("0");
});

test("the page and the lock screen show the program, and the page what was played in the last hour", async ({
  page,
  context,
}) => {
  await page.clock.install();
  await page.goto("/radio");
  await waitForHydration(page);
  const played = page.getByRole("region", { name: "Played in the Last Hour" });
  await expect(played.getByRole("listitem").first()).toHaveText(/^\d{1,2}:\d\d [AP]M\w/);
  await expect(page.getByRole("region", { name: "The Week on the Air" })).toContainText(
    "All times are Baltimore time.",
  );
  await button(page, "Play").click();
  const readMetadata = () =>
    page.evaluate(() => {
      const { title, artist, album, artwork } = navigator.mediaSession.metadata ?? {};
      return { title, artist, album, sizes: artwork?.map(({ sizes }) => sizes) };
    });
  // The next piece or program may begin in the middle of the test.
  const readExpected = async () => {
    const current = await (await page.request.get("/api/now-playing")).json();
    return {
      title: String(current.title).replace("Harborline Radio – ", ""),
      artist: "Harborline Radio",
      album: await page.locator(".radio-now .font-serif").last().textContent(),
      sizes: ["512x512", "180x180"],
    };
  };
  await expect(async () => expect(await readMetadata()).toEqual(await readExpected())).toPass();
  await expect(page.getByRole("region", { name: "Programs" })).toContainText(
    (await readMetadata()).album ?? "no program",
  );
  const images = await page.evaluate(() =>
    Promise.all(
      (navigator.mediaSession.metadata?.artwork ?? []).map(async ({ src }) =>
        (await fetch(src)).headers.get("content-type"),
      ),
    ),
  );
  expect(images).toEqual(["image/png", "image/png"]);

  // The title changes, also on the lock screen; an open page loads the list again every minute.
  await page.route("**/api/now-playing", (route) =>
    route.fulfill({ json: { title: "The Tugboats – Fog" } }),
  );
  await page.route("**/radio.json", async (route) => {
    const onAir = await (await route.fetch()).json();
    const fog = { time: "9:59 PM", startedAt: "2026-11-15", title: "The Tugboats – Fog" };
    await route.fulfill({ json: { ...onAir, played: [fog] } });
  });
  await page.clock.fastForward("01:01");
  await expect.poll(async () => (await readMetadata()).title).toBe("The Tugboats – Fog");
  await expect(played.getByRole("listitem")).toHaveText(["9:59 PMThe Tugboats – Fog"]);

  await context.setOffline(true);
  await expect(page.getByText("The radio needs an internet connection.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("The radio needs an internet connection.")).toHaveCount(0);
});

test("an error message appears if the stream does not start, and disappears once it plays", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  // The browser blocks audio that does not follow a click, a touch or a key press.
  await page.addInitScript(() => {
    const timer = setInterval(() => {
      if (!document.querySelector("[popover=manual][data-live]")) return;
      clearInterval(timer);
      document.querySelector<HTMLElement>(".radio-play")?.click();
      console.log("pressed");
    }, 50);
  });
  // Evaluating code in the page would count as user activation, so the test waits for a message.
  const buttonPressed = page.waitForEvent("console", (message) => message.text() === "pressed");
  await page.goto("/radio");
  await buttonPressed;
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("Unable to start playback. Please try again.");
  await expect(status(page)).toHaveText("Stopped");

  await page.route(streamUrl, (route) => route.fulfill({ status: 503, body: "off the air" }));
  await button(page, "Play").click();
  await expect(status(page)).toHaveText("Stopped");
  await expect(alert).toHaveText("Unable to start playback. Please try again.");

  await page.unroute(streamUrl);
  await button(page, "Play").click();
  await expect(status(page)).toHaveText("Playing live");
  await expect(alert).toBeEmpty();
});

test("a listener sees when the server fails, and hears the radio again when the server is back", async ({
  browser,
  baseURL,
}) => {
  const proxy = await startTcpProxy(baseURL ?? "");
  const page = await browser.newPage({ baseURL: proxy.url });
  await page.goto("/radio");
  await waitForHydration(page);
  await button(page, "Play").click();
  await expect(status(page)).toHaveText("Playing live");
  proxy.disconnect();
  await expect(page.getByRole("alert")).toHaveText("Stream temporarily unavailable.");
  await expect(status(page)).toHaveText("Reconnecting…");
  await proxy.reconnect();
  await expect(status(page)).toHaveText("Playing live");
  await expect(page.getByRole("alert")).toBeEmpty();
  await expectAudio(page);
  await page.close();
  proxy.disconnect();
});
