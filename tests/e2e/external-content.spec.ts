import { test as baseTest, type Page } from "@playwright/test";
import { startCity } from "../support/city.ts";
import { createRss, startFeedServer } from "../support/feed-server.ts";
import { runInServer } from "../support/newsroom.ts";
import { shareCity } from "./own-city.ts";
import { expect, waitForHydration } from "./support.ts";

// Not the test of support.ts, which does not allow requests to other sites.
const test = baseTest;

const videoUrl = "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw?rel=0&modestbranding=1";
const wallUrl = "https://www.youtube-nocookie.com/wall";
const formUrl = "https://forms.example/abc";
const feedUrl = "https://widgets.example/feed/7?style=a%20b&limit=50";
const headline = "Harbor ferry starts again";

// A city with embeds of other services everywhere, and with a headline of another newsroom.
shareCity(test, async () => {
  const newsroomServer = await startFeedServer((_, response) =>
    response.end(createRss("paper.example", [{ title: headline }])),
  );
  const youtube = "  youtube: https://www.youtube.com/watch?v=jNQXAC9IVRw\n";
  const wall = `outside: { service: { key: youtube, name: YouTube }, url: "${wallUrl}", poster: { file: hero.svg } }`;
  const form = `outside:
  service: { key: forms, name: Some Forms }
  url: ${formUrl}
  script: https://forms.example/embed.js
`;
  const services = `  drive: { name: Google Drive, hosts: ["https://drive.google.com"] }
  forms: { name: Some Forms, hosts: ["https://forms.example"] }
  widgets: { name: Widgets, hosts: ["https://widgets.example"] }
`;
  const city = await startCity(
    {
      "home.yaml": (source) => source.replace("video:\n", `video:\n${youtube}`),
      "events.yaml": (source) => `${wall}\n${source}`,
      "contact-page.yaml": (source) => `${source}\n${form}`,
      "partners.yaml": (source) =>
        source.replace('id: "1"', 'id: "1"\n      drive: 1AbCdEfGhIjKlMn'),
      "sections.yaml": (source) =>
        source
          .replace(
            "        title: World headlines\n",
            `        title: World headlines\n        feedUrl: ${feedUrl}\n        maxItems: 7\n`,
          )
          .replaceAll(/https:\/\/baltimorefishbowl\.com\S*/g, newsroomServer.url("/local")),
      "embeds.yaml": (source) => `${source}${services}`,
    },
    { FETCH_ALLOW: newsroomServer.host },
  );
  await runInServer(city.dataDir, ["feeds", "refresh", "baltimore-fishbowl"]);
  return {
    ...city,
    async close() {
      await city.close();
      await newsroomServer.close();
    },
  };
});

/** Responds in place of the external services. Returns the requested URLs, including later ones. */
async function fakeServices(page: Page): Promise<string[]> {
  const requestedUrls: string[] = [];
  await page.route(/^https:/, async (route) => {
    const url = route.request().url();
    requestedUrls.push(url);
    await route.fulfill(
      url.endsWith(".js")
        ? {
            contentType: "text/javascript",
            body: "try { parent.document.title = 'changed' } catch {}",
          }
        : { contentType: "text/html", body: `<p>Content of ${new URL(url).host}</p>` },
    );
  });
  return requestedUrls;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

test.describe("an embed", () => {
  const videoSection = (page: Page) => page.getByRole("region", { name: "Featured Video" });

  test("loads when the reader presses Load, or with the page after Always load, until the reader undoes the choice", async ({
    page,
  }) => {
    const requestedUrls = await fakeServices(page);
    await open(page, "/");
    const section = videoSection(page);
    const loadButton = section.getByRole("button", { name: "Load the video" });
    const frame = section.locator("iframe");
    await section.scrollIntoViewIfNeeded();
    await expect(section.locator("[data-embed-src]")).toHaveAttribute("data-embed-src", videoUrl);
    await expect(section.getByRole("link", { name: /^Watch on YouTube/ })).toHaveAttribute(
      "href",
      "https://www.youtube.com/watch?v=jNQXAC9IVRw",
    );
    const posterBox = await section.locator(".embed-poster").boundingBox();
    expect(requestedUrls).toEqual([]);
    await loadButton.click();
    await expect(frame).toHaveAttribute("src", videoUrl);
    await expect(frame).toHaveAttribute("title", "Baltimore, drawn");
    await expect(frame).toHaveAttribute("sandbox", /allow-scripts/);
    await expect(
      frame.contentFrame().getByText("Content of www.youtube-nocookie.com"),
    ).toBeVisible();
    expect(requestedUrls).toEqual([videoUrl]);
    expect(await frame.boundingBox()).toEqual(posterBox);

    await page.reload();
    await waitForHydration(page);
    await section.getByLabel("Always load YouTube on this device").check();
    await loadButton.click();
    await page.reload();
    await expect(frame).toHaveAttribute("src", videoUrl);
    await section.getByRole("button", { name: "Ask me again next time" }).click();
    await page.reload();
    await waitForHydration(page);
    await expect(loadButton).toBeVisible();
    await expect(frame).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem("harborline.embeds"))).toBeNull();
  });

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("has a link, and no button that would do nothing", async ({ page }) => {
      await page.goto("/");
      await expect(
        videoSection(page).getByRole("link", { name: /^Watch on YouTube/ }),
      ).toBeVisible();
      await expect(videoSection(page).getByRole("button")).toHaveCount(0);
    });
  });

  test("can be an events wall, a form with a script, a document or a feed, and loads only when the reader asks for it", async ({
    page,
  }) => {
    const requestedUrls = await fakeServices(page);
    const expectRequests = async (...urls: string[]) => {
      await expect.poll(() => requestedUrls.toSorted()).toEqual(urls);
      requestedUrls.length = 0;
    };
    await open(page, "/events");
    const poster = await page.locator(`[data-embed-src="${wallUrl}"] .embed-poster`).boundingBox();
    expect((poster?.height ?? 0) / (poster?.width ?? 1)).toBeCloseTo(16 / 9, 1);
    await expect(page.getByRole("navigation", { name: "Filter events" })).toHaveCount(0);
    expect(requestedUrls).toEqual([]);
    await page.getByRole("button", { name: "Load the events wall" }).click();
    await expect(
      page.getByTitle("The events wall").contentFrame().getByText("Content of"),
    ).toBeVisible();
    await expectRequests(wallUrl);

    // The script of another company's form is isolated from the page.
    await open(page, "/contact");
    const form = page.locator(`[data-embed-src="${formUrl}"]`);
    expect((await form.locator(".embed-poster").boundingBox())?.height).toBe(789);
    expect(requestedUrls).toEqual([]);
    await form.getByRole("button", { name: "Load the form" }).click();
    await expect(
      form.frameLocator("iframe").frameLocator("iframe").getByText("Content of forms.example"),
    ).toBeVisible();
    await expectRequests(formUrl, "https://forms.example/embed.js");
    await expect(page).toHaveTitle(/^Contact/);

    await open(page, "/partners");
    expect(requestedUrls).toEqual([]);
    await page.getByRole("button", { name: "Load the document" }).click();
    await expectRequests("https://drive.google.com/file/d/1AbCdEfGhIjKlMn/preview");
    await expect(page.getByRole("link", { name: /^Download/ }).first()).toHaveAttribute(
      "href",
      "https://drive.google.com/uc?export=download&id=1AbCdEfGhIjKlMn",
    );

    // A feed has an item limit while it is collapsed, and none when it is expanded.
    await open(page, "/world");
    expect(requestedUrls).toEqual([]);
    const feed = page.locator("#world");
    const frame = feed.locator("iframe");
    await feed.getByRole("button", { name: "Load the headlines" }).click();
    await expect(frame).toHaveAttribute(
      "src",
      "https://widgets.example/feed/7?style=a%20b&limit=7",
    );
    expect((await frame.boundingBox())?.height).toBe(400);
    await feed.getByRole("button", { name: /^See All/ }).click();
    await expect(frame).toHaveAttribute("src", feedUrl);
    expect((await frame.boundingBox())?.height).toBe(800);
    await feed.getByRole("button", { name: /^Show Less/ }).click();
    await expect(frame).toHaveAttribute("src", /limit=7$/);
  });
});

test("a feed with a single headline is only as high as that headline, and has nothing more to see", async ({
  page,
}) => {
  await open(page, "/local");
  const box = page.locator("#local-list");
  const row = box.getByRole("listitem");
  await expect(row).toHaveCount(1);
  const [boxArea, rowArea] = [await box.boundingBox(), await row.boundingBox()];
  expect(boxArea?.height).toBeCloseTo(rowArea?.height ?? 0, 0);
  await expect(page.locator("#local").getByRole("button", { name: "See All" })).toHaveCount(0);
});

test("a headline of another newsroom is saved in a list as a title and a link, without leaving the page", async ({
  page,
}) => {
  await open(page, "/local");
  const saveButton = page
    .getByRole("main")
    .getByRole("button", { name: new RegExp(`^Saved?: ${headline}$`) });
  await saveButton.click();
  await expect(page).toHaveURL("/local");
  await expect(saveButton).toHaveAttribute("aria-pressed", "true");
  await page.locator(".toast").getByRole("link", { name: "See what you saved" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: headline });
  await expect(row).toContainText("Headline · Baltimore Fishbowl · Saved");
  await expect(row.getByRole("link")).toHaveAttribute(
    "href",
    "https://paper.example/harbor-ferry-starts-again",
  );
});
