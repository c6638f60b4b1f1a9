import { aboutFile } from "../app/features/about/files.server.ts";
import { blogFile } from "../app/features/blog/files.server.ts";
import { booksFile } from "../app/features/books/files.server.ts";
import { brandFile } from "../app/features/brand/files.server.ts";
import { communityFile, submitStoryFile } from "../app/features/community/files.server.ts";
import { contactFile, contactPageFile } from "../app/features/contact/files.server.ts";
import { eventsFile } from "../app/features/events/files.server.ts";
import { submitEventPath } from "../app/features/events/model.ts";
import { faqFile } from "../app/features/faq/files.server.ts";
import { sectionsFile } from "../app/features/feeds/files.server.ts";
import { navigationFile } from "../app/features/layout/files.server.ts";
import { privacyFile, termsFile } from "../app/features/legal/files.server.ts";
import { newsletterFile } from "../app/features/newsletter/files.server.ts";
import { partnersFile } from "../app/features/partners/files.server.ts";
import { radioFile } from "../app/features/radio/files.server.ts";
import type { SiteReader } from "../app/lib/site-file.server.ts";
import type { Found } from "./search-documents.ts";

type Page = Pick<Found, "title" | "body" | "source"> & { aliases?: string[]; summary: string };

/** The pages that are not records of anything, each by its own words and by what links to it are called. */
export function pageDocuments(site: SiteReader): Found[] {
  const { main, apart, footer } = site.read(navigationFile);
  const links = [...main.flatMap((group) => group.links), ...apart, ...footer.quick, ...footer.more];
  const labels = Map.groupBy(links, ({ to }) => to);
  return Object.entries({ ...sectionPages(site), ...fixedPages(site) }).map(([link, page]) => {
    const names = new Set([...(page.aliases ?? []), ...(labels.get(link) ?? []).map(({ label }) => label)]);
    names.delete(page.title);
    return { ...page, id: `page:${link}`, kind: "page", link, aliases: [...names].join("\n") };
  });
}

function sectionPages(site: SiteReader): Record<string, Page> {
  const { sections } = site.read(sectionsFile);
  return Object.fromEntries(
    Object.entries(sections).map(([id, { heading, intro, description, feeds }]) => {
      const told = Object.values(feeds).flatMap((feed) => [feed.title, feed.description]);
      return [`/${id}`, { title: heading, summary: description, body: [intro, ...told].join(" ") }];
    }),
  );
}

function fixedPages(site: SiteReader): Record<string, Page> {
  const brand = site.read(brandFile);
  const about = site.read(aboutFile);
  const contact = site.read(contactPageFile);
  const { email, tips, office, newsDesk, address, hours } = site.read(contactFile);
  const community = site.read(communityFile);
  const story = site.read(submitStoryFile);
  const events = site.read(eventsFile);
  const blog = site.read(blogFile);
  const faq = site.read(faqFile);
  const partners = site.read(partnersFile);
  const radio = site.read(radioFile);
  const books = site.read(booksFile);
  const newsletter = site.read(newsletterFile);
  const legal = ({ front, html }: { front: { title: string; description: string }; html: string }) => ({
    ...{ title: front.title, summary: front.description, source: { format: "html" as const, text: html } },
  });
  return {
    "/about": {
      title: about.heading,
      aliases: [about.title, brand.name, brand.shortName, brand.network, "About us"],
      summary: about.description,
      body: words(about.mission.paragraphs, about.story.paragraphs, [
        ...about.team.members.flatMap(({ name, role, text }) => [name, role, text]),
        ...about.values.items.flatMap(({ name, text }) => [name, text]),
      ]),
    },
    // Somebody who wants to give finds this block; the appeal that pops up is not a page.
    "/about#support": {
      title: about.support.heading,
      aliases: ["Donate", "Donation"],
      summary: about.support.text,
    },
    "/contact": {
      title: contact.title,
      aliases: [contact.heading],
      summary: contact.description,
      body: words(
        [contact.intro, ...Object.values(contact.labels), email, tips, office, newsDesk],
        [address.street, address.city, hours, contact.confidential.heading],
        contact.confidential.paragraphs,
      ),
    },
    "/community": {
      title: community.title,
      summary: community.description,
      body: words([community.hero.text, community.stories.text, community.volunteer.text]),
    },
    "/community/submit": { title: story.title, summary: story.description, body: story.intro },
    "/events": { title: events.title, summary: events.description, body: events.intro },
    [submitEventPath]: {
      title: events.submit.title,
      summary: events.submit.description,
      body: events.submit.intro,
    },
    "/blog": { title: blog.title, aliases: [blog.heading], summary: blog.description, body: blog.intro },
    "/faq": { title: faq.title, summary: faq.description, body: faq.intro },
    "/partners": {
      title: partners.title,
      summary: partners.description,
      body: words(
        [partners.hero.text, partners.documents.text],
        partners.documents.items.flatMap(({ title, subject }) => [title, subject]),
      ),
    },
    "/radio": {
      title: radio.title,
      aliases: [radio.station],
      summary: radio.description,
      body: words([radio.station, radio.subtitle]),
    },
    "/books": { title: books.title, summary: books.description, body: words([books.intro, books.author]) },
    "/newsletter": {
      title: newsletter.heading,
      aliases: ["Newsletter", "Subscribe", "Sign up", "Unsubscribe"],
      summary: newsletter.pitch,
    },
    "/privacy": legal(site.read(privacyFile)),
    "/terms": legal(site.read(termsFile)),
  };
}

const words = (...texts: string[][]) => texts.flat().join(" ");
