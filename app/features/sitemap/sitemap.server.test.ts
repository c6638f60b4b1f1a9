import { describe, expect, it } from "vitest";
import { findSchemaErrors, readElements } from "../../../tests/support/xml.ts";
import type { PageServices } from "../../platform/services.ts";
import type { SitemapArticle, SitemapPage } from "../../platform/sitemap.ts";
import { createSitemaps, type SitemapFeature } from "./feature.server.ts";

const now = new Date("2026-11-15T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 60 * 60 * 1000);
const origin = "https://city.example";

/** The part of the services that sitemaps use. */
function createServices() {
  const expiries: Date[] = [];
  const services = {
    clock: () => now,
    site: { read: () => ({ origin, name: "The <City> Post" }) },
    expireAt: (instant: Date) => expiries.push(instant),
  } as unknown as PageServices;
  return { services, expiries };
}

const featureWith = (pages: SitemapPage[], news: SitemapArticle[] = []): SitemapFeature => ({
  name: "stories",
  sitemap: {
    pages: async () => pages,
    news: async (_services, since) => news.filter(({ publishedAt }) => publishedAt > since),
  },
});

const storyPages = (count: number): SitemapPage[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `/news/story-${index}`,
    changedAt: hoursAgo(count - index),
  }));

describe("the sitemap", () => {
  it("has a part for each kind of pages, with the last change of any of them", async () => {
    const { services } = createServices();
    const sitemaps = createSitemaps([featureWith(storyPages(3))]);
    const index = await sitemaps.writeIndex(services);
    expect(findSchemaErrors(index, "siteindex.xsd")).toBeNull();
    expect(readElements(index, "loc")).toEqual([
      `${origin}/sitemap/pages.xml`,
      `${origin}/sitemap/stories.xml`,
    ]);
    expect(readElements(index, "lastmod")).toEqual(["2026-11-15T11:00:00Z"]);
    const part = (await sitemaps.writePart(services, "stories.xml")) ?? "";
    expect(findSchemaErrors(part, "sitemap.xsd")).toBeNull();
    expect(readElements(part, "loc")).toHaveLength(3);
  });

  it("has a date only for pages whose last change is known, and for parts with only such pages", async () => {
    const { services } = createServices();
    const dated = { path: "/news/a", changedAt: hoursAgo(1) };
    const undated = { path: "/news/b", changedAt: null };
    const sitemaps = createSitemaps([featureWith([dated, undated])]);
    expect(readElements(await sitemaps.writeIndex(services), "lastmod")).toEqual([]);
    const part = (await sitemaps.writePart(services, "stories.xml")) ?? "";
    expect(readElements(part, "lastmod")).toEqual(["2026-11-15T11:00:00Z"]);
  });

  it("lists the pages of all features once, without those that say noindex", async () => {
    const { services } = createServices();
    const text = { title: "", summary: "" };
    const sitemaps = createSitemaps([
      { name: "one", pages: () => ({ "/about": text, "/submit": { ...text, isUnlisted: true } }) },
      {
        name: "other",
        pages: () => ({ "/about": text, "/about#team": text, "/café & bar": text }),
      },
    ]);
    const part = (await sitemaps.writePart(services, "pages.xml")) ?? "";
    expect(findSchemaErrors(part, "sitemap.xsd")).toBeNull();
    expect(readElements(part, "loc")).toEqual([
      `${origin}/`,
      `${origin}/about`,
      `${origin}/caf%C3%A9%20&amp;%20bar`,
    ]);
  });

  it.each([...["nope.xml", "stories", "stories.txt", "other.xml", "Stories.xml", "toString.xml"]])(
    "has no part %s",
    async (file) => {
      const { services } = createServices();
      const sitemaps = createSitemaps([featureWith(storyPages(3)), { name: "other" }]);
      expect(await sitemaps.writePart(services, file)).toBeNull();
    },
  );

  it("has the first page of a kind as soon as there is one", async () => {
    const { services } = createServices();
    const pages: SitemapPage[] = [];
    const sitemaps = createSitemaps([featureWith(pages)]);
    expect(await sitemaps.writePart(services, "stories.xml")).toBeNull();
    pages.push(...storyPages(1));
    expect(await sitemaps.writePart(services, "stories.xml")).toContain("/news/story-0");
  });
});

describe("the news sitemap", () => {
  const article = (path: string, hours: number, title = path): SitemapArticle => ({
    path,
    title,
    publishedAt: hoursAgo(hours),
  });

  it("has the stories of the last 48 hours, and expires when the oldest one is too old", async () => {
    const { services, expiries } = createServices();
    const title = 'Mayor & council: "5 < 6"\u0000 isn’t news';
    const news = [article("/news/old", 49), article("/news/a", 47), article("/news/b", 1, title)];
    const xml = await createSitemaps([featureWith([], news)]).writeNews(services);
    expect(findSchemaErrors(xml, "sitemap.xsd")).toBeNull();
    expect(readElements(xml, "loc")).toEqual([`${origin}/news/b`, `${origin}/news/a`]);
    expect(readElements(xml, "news:title")[0]).toBe(
      "Mayor &amp; council: &quot;5 &lt; 6&quot; isn’t news",
    );
    expect(readElements(xml, "news:name")).toContain("The &lt;City&gt; Post");
    expect(readElements(xml, "news:publication_date")).toEqual([
      "2026-11-15T11:00:00Z",
      "2026-11-13T13:00:00Z",
    ]);
    expect(expiries).toEqual([hoursAgo(-1)]);
  });

  it("without a recent story is valid too, and presents nothing as news", async () => {
    const { services } = createServices();
    const xml = await createSitemaps([featureWith([])]).writeNews(services);
    expect(findSchemaErrors(xml, "sitemap.xsd")).toBeNull();
    expect(readElements(xml, "loc")).toEqual([`${origin}/`]);
    expect(xml).not.toContain("<news:news>");
  });

  it("has the newest 1,000 stories at most", async () => {
    const { services } = createServices();
    const news = Array.from({ length: 1_200 }, (_, index) => article(`/news/${index}`, index / 60));
    const xml = await createSitemaps([featureWith([], news)]).writeNews(services);
    const locations = readElements(xml, "loc");
    expect(locations).toHaveLength(1_000);
    expect(locations[0]).toBe(`${origin}/news/0`);
  });
});
