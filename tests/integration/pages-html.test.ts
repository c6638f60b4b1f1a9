import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCity, type TestCity } from "../support/city.ts";
import {
  findElement,
  findElements,
  readAttribute,
  readLinks,
  readMeta,
  readStructuredData,
  readText,
  readTexts,
} from "../support/html.ts";
import { expectReadablePage } from "../support/page-rules.ts";
import { pagePaths } from "../support/routes.ts";

let city: TestCity;
beforeAll(async () => {
  city = await startCity({});
});
afterAll(() => city.close());

const request = (path: string) => fetch(city.server.url + path, { redirect: "manual" });
const fetchPage = async (path: string) => (await request(path)).text();
const fetchMain = async (path: string) => findElement(await fetchPage(path), "main");
const origin = "https://baltimore.harborline.example";

/** Expects links with these texts and paths, in any order. */
function expectLinks(html: string, expected: Record<string, string>): void {
  const links = readLinks(html);
  for (const [text, href] of Object.entries(expected))
    expect(links, text).toContainEqual(expect.objectContaining({ text, href }));
}

const readRobots = (page: string) => readMeta(page, "robots");

it("every page is readable before any script runs", async () => {
  for (const path of pagePaths) expectReadablePage(await fetchPage(path), path);
});

describe("the header", () => {
  it("has the brand, twenty sections, Books and Radio, social links and the search box", async () => {
    const header = findElement(await fetchPage("/about"), "header");
    expect(
      readLinks(findElement(header, "nav", 'aria-label="Main"')).map(({ text, href }) => [
        text,
        href,
      ]),
    ).toEqual([
      ["Home", "/"],
      ["Local", "/local"],
      ["National", "/national"],
      ["World", "/world"],
      ["Politics", "/politics"],
      ["Business", "/business"],
      ["Tech", "/technology"],
      ["Auto", "/automotive"],
      ["Real Estate", "/realestate"],
      ["Health", "/health"],
      ["Sports", "/sports"],
      ["Culture", "/culture"],
      ["Food", "/food"],
      ["Lifestyle", "/lifestyle"],
      ["Opinion", "/opinion"],
      ["Archives", "/archives"],
      ["Events", "/events"],
      ["Blog", "/blog"],
      ["Partners", "/partners"],
      ["FAQ", "/faq"],
    ]);
    expectLinks(header, { "Harborline Baltimore": "/", Books: "/books", Radio: "/radio" });
    for (const name of ["Facebook", "X", "Instagram", "YouTube"])
      expect(readLinks(header)).toContainEqual(
        expect.objectContaining({ text: `${name} (opens in a new tab)`, rel: "noopener" }),
      );
    expect(findElement(header, "form", 'action="/search"')).toMatch(/<input type="search"[^>]*"q"/);
  });

  it("marks the current page", async () => {
    const readCurrent = async (path: string) =>
      readLinks(findElement(await fetchPage(path), "nav", 'aria-label="Main"'))
        .filter(({ isCurrent }) => isCurrent)
        .map(({ text }) => text);
    expect(await readCurrent("/")).toEqual(["Home"]);
    expect(await readCurrent("/about")).toEqual([]);
  });
});

describe("the footer", () => {
  it("has quick links, six sections, contact, social links, the newsletter and sister sites", async () => {
    const footer = findElement(await fetchPage("/about"), "footer");
    const readColumn = (title: string) =>
      readLinks(findElement(footer, "details", `>${title}<`)).map(({ text }) => text);
    expect(readColumn("Quick Links")).toEqual(["Home", "About", "Privacy", "Terms"]);
    expect(readColumn("News Sections")).toEqual([
      "Local",
      "Politics",
      "Business",
      "Sports",
      "Culture",
      "Opinion",
    ]);
    const contact = findElement(footer, "details", ">Contact<");
    expect(readText(contact)).toContain("hello@baltimore.harborline.example");
    expect(readText(contact)).toContain("Monday-Friday 9am-5pm");
    expect(readColumn("Partner Sites")).toHaveLength(3);
    expectLinks(footer, {
      "YouTube (opens in a new tab)": "https://youtube.harborline.example/baltimore",
    });
    expect(readTexts(footer, "button")).toContain("Subscribe");
    expect(readLinks(findElement(footer, "ul", ">Feeds<")).map(({ text }) => text)).toEqual([
      "News",
      "Our stories",
      "Daily brief",
      "Community",
      "Public meetings",
      "Contact",
      "Weather",
      "Alerts",
      "Corrections",
      "FAQ",
      "Feeds",
      "Low-data edition",
      "Donate (opens in a new tab)",
    ]);
    const feeds = await request("/feeds.opml");
    expect(feeds.headers.get("content-disposition")).toMatch(
      /^attachment; filename="[^"]*\.opml"$/,
    );
  });

  it("has the current year, and cached copies expire at the end of the year in the city's time zone", async () => {
    const readYear = () =>
      Number(
        new Date().toLocaleDateString("en-US", { timeZone: "America/New_York", year: "numeric" }),
      );
    const yearBefore = readYear();
    const response = await request("/terms");
    const footer = readText(findElement(await response.text(), "footer"));
    const [, year] = /© 2023–(\d{4}) Harborline Baltimore/.exec(footer) ?? [];
    // The year may have changed during the request.
    expect([yearBefore, readYear()]).toContain(Number(year));
    expect(Date.parse(response.headers.get("expires") ?? "")).toBeLessThanOrEqual(
      Date.parse(`${Number(year) + 1}-01-01T00:00:00-05:00`),
    );
  });
});

describe("the home page", () => {
  it("has its nine parts in the specified order, with their links, and today's strip", async () => {
    const main = await fetchMain("/");
    expect(findElements(main, "h1")).toHaveLength(1);
    expect(readTexts(main, "h2")).toEqual([
      expect.stringMatching(/^Today in Baltimore: \w+day, \w+ \d+, \d{4}$/),
      "Featured Video",
      "Featured News",
      "Upcoming Events",
      "Community Highlights",
      "Did You Know?",
    ]);
    expectLinks(main, {
      "Latest News": "/news",
      "Upcoming Events": "/events",
      "View All News": "/news",
      "View All Events": "/events",
      "View Community Page": "/community",
    });
    expect(readLinks(main).map(({ href }) => href)).toContain(
      "https://en.wikipedia.org/wiki/Baltimore",
    );
    // Hero, today, video, news, ads, events, ads, community, fact, ads.
    expect(main.match(/<h1\b|<h2 id="[\w-]+"|class="ad-row\b/g)).toEqual([
      "<h1",
      '<h2 id="today"',
      '<h2 id="featured-video"',
      '<h2 id="featured-news"',
      'class="ad-row',
      '<h2 id="upcoming-events"',
      'class="ad-row',
      '<h2 id="community"',
      '<h2 id="did-you-know"',
      'class="ad-row',
    ]);
    for (const [heading, count] of [
      ["featured-news", 3],
      ["community", 2],
    ] as const)
      expect(
        findElements(findElement(main, "section", `^<section[^>]*"${heading}"`), "article"),
        heading,
      ).toHaveLength(count);
    const controls = [
      findElement(main, "button", "carousel-dot"),
      findElement(main, "a", "^<a[^>]*Play the video"),
    ];
    for (const control of controls) expect(readAttribute(control, "data-tooltip")).toMatch(/\w/);
  });

  it("has a head with its title, description, location and structured data", async () => {
    const page = await fetchPage("/");
    expect(readTexts(page, "title")).toEqual([
      "Harborline Baltimore: Baltimore news, events and community",
    ]);
    for (const [name, value] of [
      ["description", /Independent local news/],
      ["keywords", /Baltimore news/],
      ["robots", /^index, follow/],
      ["geo.region", /^US-MD$/],
      ["geo.placename", /^Baltimore$/],
      ["geo.position", /^39\.2904;-76\.6122$/],
      ["ICBM", /^39\.2904, -76\.6122$/],
      ["og:title", /Harborline Baltimore/],
      ["og:image", new RegExp(`^${origin}/art/share\\.png/1200\\.png\\?v=`)],
      ["twitter:card", /^summary_large_image$/],
    ] as const)
      expect(readMeta(page, name), name).toMatch(value);
    expect(page).toContain(`<link rel="canonical" href="${origin}/"/>`);
    expect(readStructuredData(page)).toMatchObject([
      { "@type": "NewsMediaOrganization", name: "Harborline Baltimore", foundingDate: "2023" },
      {
        "@type": "WebSite",
        potentialAction: {
          "@type": "SearchAction",
          target: { urlTemplate: `${origin}/search?q={search_term_string}` },
        },
      },
    ]);
  });
});

describe("the page", () => {
  it("/about presents the mission, the story, the team of three, the values, and how to help", async () => {
    const page = await fetchPage("/about");
    expect(readTexts(page, "title")).toEqual(["About | Harborline Baltimore"]);
    const main = findElement(page, "main");
    expect(readTexts(main, "h2")).toEqual([
      "Our Mission",
      "Our Story",
      "Our Team",
      "Our Values",
      "Support Local Journalism",
    ]);
    expect(readText(main)).toContain("Founded 2023");
    expect(findElements(main, "h3")).toHaveLength(3);
    expect(readTexts(main, "dt")).toEqual(["Accuracy", "Community Focus", "Independence"]);
    expectLinks(main, { "Contact Us": "/contact", "See our corrections": "/corrections" });
    const support = findElement(main, "section", ">Support Local Journalism<");
    expect(readLinks(support)).toMatchObject([
      { text: "Contact Us" },
      {
        text: "Donate Now (opens in a new tab)",
        href: expect.stringMatching(/^https:/),
        target: "_blank",
      },
    ]);
  });

  it.each([
    ["/privacy", "Privacy Policy", "/terms"],
    ["/terms", "Terms of Service", "/privacy"],
  ])(
    "%s is dated April 14, 2025, lists what was added later, and links to the other legal page",
    async (path, title, other) => {
      const main = await fetchMain(path);
      expect(readTexts(main, "h1")).toEqual([title]);
      expect(readText(main)).toContain("Last updated: April 14, 2025");
      expect(readText(main)).toMatch(/were added later.*November 16, 2026:/s);
      expect(readLinks(main).map(({ href }) => href)).toContain(other);
    },
  );

  it("/contact has all contact details, our own form and a map that is not loaded", async () => {
    const page = await fetchPage("/contact");
    const main = findElement(page, "main");
    expectLinks(main, {
      "hello@baltimore.harborline.example": "mailto:hello@baltimore.harborline.example",
      "tips@baltimore.harborline.example": "mailto:tips@baltimore.harborline.example",
      "410-555-0142": "tel:+14105550142",
      "410-555-0177": "tel:+14105550177",
      "Facebook (opens in a new tab)": "https://facebook.harborline.example/baltimore",
    });
    expect(readText(main)).toContain("100 Sample Wharf");
    expect(readText(main)).toContain("Monday-Friday 9am-5pm");
    expect(readTexts(main, "h2")).toContainEqual(
      expect.stringContaining("confidential when you send a tip"),
    );
    expect(main.match(/data-ad-type="/g)).toHaveLength(2);
    // Links to #message, such as that of the corrections page, lead to the form.
    expect(main).toMatch(/<div id="message"[^>]*><iframe [^>]*src="\/contact\/form\?/);
    expect(main.match(/<iframe/g)).toHaveLength(1);
    expect(main).toMatch(
      /data-embed-src="https:\/\/www\.openstreetmap\.org\/export\/embed\.html\?bbox=/,
    );
  });

  it("/community has the specified sections, labels and numbers of cards", async () => {
    const main = await fetchMain("/community");
    expectLinks(main, { "Volunteer Today": "#volunteer" });
    const stories = findElement(main, "section", '"local-stories"');
    expect(findElements(stories, "article")).toHaveLength(3);
    expectLinks(stories, { "Submit Your Story": "/community/submit" });
    const more = readLinks(stories).filter(({ text }) => /^Read More: \w+/.test(text));
    // Screen readers do not read an arrow after the link.
    expect(more.filter(({ text }) => !text.includes("→"))).toHaveLength(3);
    const volunteer = findElement(main, "section", 'id="volunteer"');
    expect(findElements(volunteer, "li")).toHaveLength(4);
    const external = readLinks(volunteer).filter(({ text }) => text.includes("in a new tab"));
    expect(external).toHaveLength(4);
    for (const { target, rel } of external) expect([target, rel]).toEqual(["_blank", "noopener"]);
    expectLinks(volunteer, { "List Your Organization": "/contact" });
    expect(readTexts(findElement(main, "section", '"resources"'), "h3")).toEqual([
      "Local Government",
      "Education",
      "Healthcare",
    ]);
    expect(main.match(/class="ad-row\b/g)).toHaveLength(1);
  });

  it("/events has two history links, a submit link and one row of ads", async () => {
    const main = await fetchMain("/events");
    for (const article of ["History_of_Baltimore", "Battle_of_Baltimore"])
      expect(readLinks(main)).toContainEqual(
        expect.objectContaining({
          href: `https://en.wikipedia.org/wiki/${article}`,
          target: "_blank",
        }),
      );
    expectLinks(main, { "Submit an Event": "/events/submit" });
    expect(main.match(/class="ad-row\b/g)).toHaveLength(1);
  });

  it.each(["2026-02-30", "tomorrow"])("/events ignores the day %s", async (day) => {
    expect((await request(`/events?day=${day}`)).headers.get("location")).toBe("/events");
  });

  it("of an event says when and where the event is, and links to calendars", async () => {
    const main = await fetchMain("/events/open-mic");
    expect(readTexts(main, "h1")).toEqual(["Three-Minute Open Mic"]);
    expect(readTexts(main, "li")).toContain("7:30 PM – 10:30 PM");
    const links = readLinks(main);
    expect(links.find(({ text }) => text.startsWith("Find it on a map"))?.href).toContain(
      "openstreetmap.org",
    );
    expect(links.find(({ text }) => text.startsWith("Calendar file (.ics)"))?.href).toBe(
      "/events/open-mic/calendar.ics",
    );
    for (const name of ["Google Calendar", "Outlook.com", "Yahoo Calendar"])
      expect(links.find(({ text }) => text.startsWith(name))?.target, name).toBe("_blank");
  });

  it("of a later date of an event is about this date, and every other day leads to the next date", async () => {
    const findLater = (html: string) =>
      readLinks(html).find(({ href }) => href?.startsWith("/events/story-time?day="));
    const { href = "", text = "" } = findLater(await fetchMain("/events/story-time")) ?? {};
    const day = href.slice(-10);
    const page = await fetchPage(href);
    // The link's text is "Story Time, Thu, December 17, 10:00 AM".
    const [date = ""] = /\w+ \d+(?=, \d+:)/.exec(text) ?? [];
    expect(readTexts(findElement(page, "header", "lg:row-span-2"), "li")[0]).toContain(date);
    expect(readMeta(page, "og:url")).toBe(`${origin}/events/story-time`);
    const links = readLinks(page);
    const findHref = (name: string) => links.find((link) => link.text.startsWith(name))?.href ?? "";
    for (const name of ["Google Calendar", "Yahoo Calendar"])
      expect(findHref(name), name).toContain(day.replaceAll("-", ""));
    expect(findHref("Outlook.com")).toContain(day);
    expect(findHref("Email")).toContain(encodeURIComponent(href));
    const file = findHref("Calendar file (.ics)");
    expect(await fetchPage(file)).toContain(`DTSTART:${day.replaceAll("-", "")}T`);
    // In the month view each date leads to its own page.
    expect(readLinks(await fetchMain(`/events?day=${day}`)).map((link) => link.href)).toContain(
      href,
    );
    for (const unknown of ["2020-01-01", "tomorrow"])
      for (const path of ["/events/story-time", "/events/story-time/calendar.ics"]) {
        const response = await request(`${path}?day=${unknown}`);
        expect([response.status, response.headers.get("location")]).toEqual([302, path]);
      }
  });

  it("/partners has three documents, each with a 4:3 preview, a view link and a download link", async () => {
    const page = await fetchPage("/partners");
    expect(readTexts(page, "title")).toEqual([expect.stringMatching(/^Partners/)]);
    expect(readTexts(page, "h1")).toEqual(["Our Partners"]);
    const cards = findElements(findElement(page, "section", '"documents"'), "li");
    expect(cards.flatMap((card) => readTexts(card, "h3"))).toEqual([
      "Partnership Document 1",
      "Partnership Document 2",
      "Partnership Document 3",
    ]);
    for (const card of cards) {
      const [preview = ""] = card.match(/<img [^>]*>/) ?? [];
      const [width, height] = [readAttribute(preview, "width"), readAttribute(preview, "height")];
      expect(Number(width) / Number(height)).toBeCloseTo(4 / 3, 2);
      const [view, download] = readLinks(card);
      expect(view?.text).toMatch(/^View Full Document/);
      expect(view?.target).toBe("_blank");
      const viewed = await request(view?.href ?? "");
      expect(viewed.headers.get("content-type")).toBe("application/pdf");
      expect(viewed.headers.get("content-disposition")).toBeNull();
      const pdf = Buffer.from(await viewed.arrayBuffer()).toString("latin1");
      expect(pdf).toMatch(/^%PDF-/);
      expect(new Set(pdf.match(/(?<=\/FontName \/\w+\+)[A-Za-z]+/g))).toEqual(
        new Set(["Newsreader", "LibreFranklin"]),
      );
      expect(download?.text).toMatch(/^Download/);
      const downloaded = await request(download?.href ?? "");
      expect(downloaded.headers.get("content-disposition")).toMatch(
        /^attachment; filename="partnership-document-\d\.pdf"$/,
      );
    }
  });

  it("/books has no site header or footer, but a link home, the banner and all books", async () => {
    const page = await fetchPage("/books");
    expect(page).not.toMatch(/<nav\b|<footer\b/);
    const links = readLinks(page);
    expect(links[0]).toMatchObject({ text: "← Back to Harborline Baltimore", href: "/" });
    for (const name of ["Apply for Admission", "Learn More"])
      expect(links.find(({ text }) => text.startsWith(name))?.target, name).toBe("_blank");
    expect(readTexts(page, "h1")).toEqual(["Books"]);
    expectLinks(page, {
      "Edgar Allan Poe on Amazon (opens in a new tab)":
        "https://www.amazon.com/s?k=Edgar+Allan+Poe&i=stripbooks",
    });
    const books = links.filter(({ text }) => text.startsWith("View on Amazon"));
    expect(books).toHaveLength(findElements(page, "li").length);
    expect(new Set(books.map(({ target }) => target))).toEqual(new Set(["_blank"]));
    expect(page).not.toContain("Amazon Associate");
  });

  it("/corrections says how to report a mistake while there are no corrections", async () => {
    const main = await fetchMain("/corrections");
    expect(readText(main)).toContain("No corrections so far.");
    expectLinks(main, { "Report a mistake": "/contact#message" });
  });

  it("/weather says that nothing is known without a network, and when the sun rises and sets", async () => {
    const text = readText(await fetchMain("/weather"));
    expect(text).toContain("We have no weather report at the moment.");
    expect(text).toMatch(/Today\s*Sunrise \d.* AM, sunset \d.* PM/);
    expect(await fetchMain("/")).not.toContain('href="/weather"');
  });

  it.each(["/saved", "/privacy"])("%s says what needs JavaScript", async (path) => {
    const notes = readTexts(await fetchMain(path), "noscript");
    expect(notes).toContainEqual(expect.stringMatching(/needs? JavaScript/));
  });

  it("of a list offers to follow exactly this list", async () => {
    for (const [path, feed] of [
      ["/news", "/feeds/news.xml"],
      ["/sports", "/feeds/sports.xml"],
      ["/archives?source=baltimore-brew", "/feeds/local.xml?source=baltimore-brew"],
      ["/stories?category=history", "/feeds/stories.xml?category=history"],
      ["/blog", "/blog/feed.xml"],
      ["/events?place=hampden&free=1", "/feeds/events.xml?place=hampden&free=1"],
      ["/search?q=crab&kind=story", "/search.xml?q=crab&kind=story"],
    ] as const) {
      const main = await fetchMain(path);
      expect(main, path).toMatch(/<button [^>]*popoverTarget="follow"/);
      const panel = main.slice(main.indexOf('<div id="follow" popover="auto" role="dialog"'));
      expect(readLinks(panel).find(({ text }) => text === "RSS")?.href, path).toBe(feed);
    }
  });

  it("of one newsroom has its name", async () => {
    const page = await fetchPage("/archives?source=baltimore-brew");
    expect(readTexts(page, "title")).toEqual(["Baltimore Brew | Harborline Baltimore"]);
    expect(readTexts(page, "h1")).toEqual(["Baltimore Brew"]);
    expect(page).not.toContain("none is that old yet");
  });
});

describe("the FAQ", () => {
  it("has categories with questions that are all closed at first", async () => {
    const main = await fetchMain("/faq");
    expect(readTexts(main, "h1")).toEqual(["Frequently Asked Questions"]);
    const names = readTexts(findElement(main, "nav", "Browse by Category"), "a");
    expect(names).toContain("Transportation");
    expect(readTexts(main, "h2")).toEqual(expect.arrayContaining(names));
    expect(readTexts(main, "summary")).toEqual(readTexts(main, "h3"));
    expect(main).not.toMatch(/<details[^>]* open/);
  });

  it("has links to other sites that open in a new tab, and tell screen readers so", async () => {
    const page = await fetchPage("/faq");
    const links = findElements(findElement(page, "main"), "details").flatMap(readLinks);
    const external = links.filter(({ href }) => href.startsWith("http"));
    expect(external.length).toBeGreaterThan(50);
    for (const { text, target, rel } of external)
      expect([target, rel, text.endsWith(" (opens in a new tab)")], text).toEqual([
        "_blank",
        "noopener",
        true,
      ]);
    for (const { href, target } of links.filter((link) => !external.includes(link)))
      expect(target, href).toBeUndefined();
    expect(JSON.stringify(readStructuredData(page))).not.toContain("(opens in a new tab)");
  });

  it("ends with contact buttons and popular pages, and has structured data", async () => {
    const page = await fetchPage("/faq");
    expect(readMeta(page, "keywords")).toMatch(/^General Information, .*, Special Features$/);
    const contact = readLinks(findElement(page, "section", ">Still Have Questions\\?<"));
    expect(contact.map(({ text, href }) => [text, href])).toEqual([
      ["Contact Us", "/contact"],
      ["Email Us", expect.stringMatching(/^mailto:hello@/)],
    ]);
    expect(readLinks(findElement(page, "nav", ">Popular Pages<")).map(({ href }) => href)).toEqual([
      "/news",
      "/events",
      "/community",
      "/contact",
      "/about",
      "/partners",
      "/privacy",
      "/terms",
    ]);
    expect(readMeta(page, "geo.position")).toBe("39.2904;-76.6122");
    const data = readStructuredData(page);
    expect(data.map((entry) => entry["@type"])).toEqual(["FAQPage", "NewsMediaOrganization"]);
    expect(data[0]?.mainEntity).toHaveLength(
      findElements(findElement(page, "main"), "details").length,
    );
  });
});

describe("a story or an event", () => {
  it("that is a sample says so, has its own image, and is not indexed by search engines", async () => {
    const images = new Set<string | undefined>();
    const names = readdirSync("sites/baltimore/news");
    for (const name of names) {
      const page = await fetchPage(`/news/${name.replace(".md", "")}`);
      const story = findElement(page, "article");
      expect(readText(findElement(story, "header")), name).toContain("This is a sample story.");
      expect(readTexts(page, "h2"), name).toContainEqual(
        expect.stringMatching(/^More (from|stories)/),
      );
      images.add(/<img [^>]*src="([^"]*)"/.exec(story)?.[1]);
      expect(readRobots(page), name).toBe("noindex");
      expect(readStructuredData(page), name).toEqual([]);
    }
    expect(images.size).toBe(names.length);
  });

  it.each(["lantern-walk", "community-supper"])(
    "such as the sample %s is never over, and not indexed either",
    async (id) => {
      const page = await fetchPage(`/events/${id}`);
      expect(page).not.toContain("This event is over.");
      expect(readTexts(page, "p")).toContainEqual(
        expect.stringMatching(/^This is a sample event\..*will not take place\.$/),
      );
      expect(readRobots(page)).toBe("noindex");
      expect(readStructuredData(page)).toEqual([]);
    },
  );

  it.each(["/news/none", "/events/none", "/news/%2E%2E/site", "/news/marble-steps/x", "/news/%00"])(
    "that is unknown, such as %s, is not found",
    async (path) => {
      expect([400, 404]).toContain((await request(path)).status);
    },
  );

  it("is in the list of stories, which is selected by plain links", async () => {
    const main = await fetchMain("/stories");
    expect(readTexts(main, "h2")).toEqual(
      expect.arrayContaining(["November 2026", "October 2026"]),
    );
    expect(findElements(main, "article")).toHaveLength(8);
    expectLinks(findElement(main, "nav", 'aria-label="Categories"'), {
      History: "/stories?category=history",
    });
    const history = await fetchMain("/stories?category=history");
    expect(findElements(history, "article")).toHaveLength(2);
    expectLinks(findElement(history, "details", "By month"), {
      "October 2026": "/stories?month=2026-10&category=history",
    });
    const october = await fetchMain("/stories?month=2026-10&category=history");
    const [first = ""] = findElements(october, "article");
    expect(readLinks(first).map(({ href }) => href)).toContain("/news/arabbers");

    for (const [path, canonical] of [
      ["/stories?category=weather&month=2001-01", "/stories"],
      ["/stories?category=History", "/stories?category=history"],
    ] as const)
      expect((await request(path)).headers.get("location"), path).toBe(canonical);
  });
});

describe("what is missing", () => {
  it.each([
    ["/news/none", "/news/never", "Oops! Page not found"],
    ["/events/none", "/events/never", "Oops! Page not found"],
    ["/blog/none", "/blog/never", "Blog Not Found"],
    ["/brief/2001-01-01", "/brief/2001-01-02", "Oops! Page not found"],
    ["/local?place=none", "/local?place=never", "Oops! Page not found"],
    ["/local?place=none&edition=light", "/local?place=never&edition=light", "Oops! Page not found"],
    ["/stories?page=9", "/stories?page=10&category=history", "Oops! Page not found"],
    ["/archives?page=9", "/archives?page=10", "Oops! Page not found"],
    ["/blog?page=98", "/blog?page=99", "Oops! Page not found"],
  ])("is one page for %s and %s", async (first, second, heading) => {
    const responses = [await request(first), await request(second)];
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    const [page = "", other] = await Promise.all(responses.map((response) => response.text()));
    expect(other).toBe(page);
    expect(readTexts(page, "h1")).toEqual([expect.stringContaining(heading)]);
    expect(readRobots(page)).toBe("noindex");
  });
});

describe("a section without headlines", () => {
  it("says so once, shows our own good-to-know items in each feed, and lists its newsrooms", async () => {
    const main = await fetchMain("/sports");
    expect(readText(main).match(/No live headlines have arrived yet\./g)).toHaveLength(1);
    expect(readText(findElement(main, "section", 'id="baseball"'))).toContain("No live headlines");
    const golf = findElement(main, "section", 'id="golf"');
    expect(readText(golf)).toContain("Good to know");
    const sources = findElements(golf, "p").filter((source) => source.includes("feed-row-source"));
    expect(sources).toHaveLength(5);
    for (const source of sources) expect(readText(source)).toMatch(/^Harborline( · |$)/);
    expect(golf).not.toContain("<time");
    const [external] = sources.flatMap(readLinks);
    expect(external?.target).toBe("_blank");
    expect(external?.text).toContain("(opens in a new tab)");
    // The list of newsrooms is collapsed to one line.
    const newsrooms = findElement(golf, "details");
    expect(newsrooms).not.toMatch(/<details[^>]* open/);
    expect(readTexts(newsrooms, "summary")).toEqual(["We follow 2 newsrooms"]);
    expectLinks(newsrooms, { "ESPN (opens in a new tab)": "https://www.espn.com/" });
  });

  it("has a link to each of its feeds, after our own stories", async () => {
    const main = await fetchMain("/sports");
    const titles = ["Baseball", "Soccer", "Tennis", "Golf", "Hockey"];
    const links = readLinks(findElement(main, "nav", 'aria-label="On this page"'));
    expect(links.map(({ text }) => text)).toEqual(titles);
    for (const { text, href } of links)
      expect(readTexts(findElement(main, "section", `id="${href.slice(1)}"`), "h2")).toEqual([
        text,
      ]);
    // Landmark regions of the feeds would only repeat the headings.
    expect(main.match(/<section[^>]* aria-label/g)).toHaveLength(1);
    expect(readText(findElement(main, "section", '"newsroom"'))).toContain("Duckpins");
  });

  it("is expanded and collapsed by the same button without JavaScript", async () => {
    const readFeed = async (path: string, id: string) =>
      findElement(await fetchMain(path), "section", `id="${id}"`);
    const golf = await readFeed("/sports", "golf");
    const form = findElement(golf, "form");
    expect(readTexts(form, "button")).toEqual(["See All: Golf"]);
    expect(form).toMatch(/^<form [^>]*action="\/sports#golf".*name="all" value="golf"/);
    const expanded = await readFeed("/sports?all=golf", "golf");
    expect(findElements(expanded, "article").length).toBeGreaterThanOrEqual(8);
    expect(findElements(await readFeed("/sports?all=golf", "soccer"), "article")).toHaveLength(5);
    const collapse = findElement(expanded, "form");
    expect(readTexts(collapse, "button")).toEqual(["Show Less: Golf"]);
    expect(collapse).toMatch(/^<form [^>]*action="\/sports#golf"/);
    expect(collapse).not.toContain('name="all"');
  });

  it("leaves the archive empty and the sources unchecked, and their pages say so", async () => {
    const invalid = await request("/archives?month=2026-13&section=nothing&source=x&page=-3");
    expect(invalid.headers.get("location")).toBe("/archives");
    // Every JavaScript object has a property with this name, but it is not a section.
    const property = await request("/archives?section=constructor");
    expect(property.headers.get("location")).toBe("/archives");
    const archives = await fetchPage("/archives?month=2026-10&section=sports");
    expect(readTexts(archives, "title")).toEqual([
      expect.stringMatching(/^Archives: October 2026, Sports/),
    ]);
    expect(readText(await fetchMain("/archives"))).toContain("none is that old yet");
    const status = await fetchMain("/status");
    expect(readTexts(status, "p")).toContainEqual(
      expect.stringMatching(/^\d+ of \d+ sources need|^We have not checked our \d+ sources yet/),
    );
    expect(readTexts(status, "tr")).toContainEqual(
      expect.stringMatching(/^Baltimore Brew ?Local News/),
    );
    expect(readText(status)).not.toMatch(/HTTP status \d|ENOTFOUND|EAI_AGAIN/);
  });
});

describe("the search without JavaScript", () => {
  it("shows results that can be filtered, and help for an empty query", async () => {
    const page = await fetchPage("/search?q=++rowhouse+");
    const main = findElement(page, "main");
    expect(readText(main)).toMatch(/\d+ results for “rowhouse”/);
    expect(readTexts(main, "mark")[0]).toMatch(/rowhouse/i);
    expect(readRobots(page)).toBe("noindex");
    const kinds = readLinks(findElement(main, "nav", 'aria-label="Kinds of results"'));
    const blog = kinds.find(({ text }) => text.startsWith("Blog"))?.href ?? "";
    expect(blog).toBe("/search?q=rowhouse&kind=blog");
    const results = findElements(await fetchMain(blog), "h2").flatMap(readLinks);
    expect(results).not.toEqual([]);
    for (const { href } of results) expect(href).toMatch(/^\/blog\//);

    const empty = await request("/search?q=%20%20");
    expect(empty.status).toBe(200);
    const help = findElement(await empty.text(), "main");
    expect(readText(help)).toContain("Type a word, a name or a neighborhood");
    expectLinks(help, { Local: "/local" });
  });
});

describe("a blog post", () => {
  it("is complete in its HTML before any script runs", async () => {
    const page = await fetchPage("/blog/film-your-street-with-a-phone");
    expect(readTexts(page, "title")).toEqual(["Film Your Street With the Phone in Your Pocket"]);
    expect(readText(findElement(page, "main"))).toContain("September 16, 2026");
    expect(readStructuredData(page)[0]).toMatchObject({
      "@type": "BlogPosting",
      datePublished: "2026-09-16",
    });
  });
});

describe("an embed", () => {
  it("is allowed by the Content Security Policy only if embeds.yaml lists its host", async () => {
    const { headers } = await request("/");
    expect(headers.get("content-security-policy")).toContain(
      "frame-src 'self' https://www.youtube-nocookie.com https://www.openstreetmap.org;",
    );
  });

  it("loads with the page if the city sets eager, and the privacy page says so", async () => {
    const hasLoadedFrame = async () =>
      (await fetchPage("/contact")).includes('<iframe src="https://www.openstreetmap.org/');
    expect(await hasLoadedFrame()).toBe(false);
    let original = "";
    await city.edit("embeds.yaml", (source) => {
      original = source;
      return source.replace("eager: false", "eager: true");
    });
    await expect.poll(hasLoadedFrame).toBe(true);
    expect(readText(await fetchMain("/privacy"))).toContain("load together with the page");
    await city.edit("embeds.yaml", () => original);
    await expect.poll(hasLoadedFrame).toBe(false);
  });
});
