import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** The sections of the specification; what each holds is said in the city's sections.yaml. */
const sections =
  "local national world politics business technology automotive realestate health sports culture food lifestyle opinion";

/** Every address of the site, in the order of the specification. A route enters with its page. */
export default [
  layout("routes/layout.tsx", [
    layout("routes/failures.tsx", [
      index("routes/home.tsx"),
      route("news", "routes/news.tsx"),
      route("news/:id", "routes/story.tsx"),
      ...sections.split(" ").map((name) => route(name, "routes/section.tsx", { id: name })),
      route("archives", "routes/archives.tsx"),
      route("events", "routes/events.tsx"),
      route("events/submit", "routes/submit-event.tsx"),
      route("events/:id", "routes/event.tsx"),
      layout("routes/blog-layout.tsx", [
        route("blog", "routes/blog.tsx"),
        route("blog/:slug", "routes/blog-article.tsx"),
      ]),
      route("partners", "routes/partners.tsx"),
      route("faq", "routes/faq.tsx"),
      route("community", "routes/community.tsx"),
      route("community/submit", "routes/submit-story.tsx"),
      route("contact", "routes/contact.tsx"),
      route("privacy", "routes/privacy.tsx"),
      route("terms", "routes/terms.tsx"),
      route("about", "routes/about.tsx"),
      route("status", "routes/status.tsx"),
      route("search", "routes/search.tsx"),
      route("newsletter", "routes/newsletter.tsx"),
      route("newsletter/confirm", "routes/newsletter-confirm.tsx"),
      route("newsletter/unsubscribe", "routes/newsletter-unsubscribe.tsx"),
      route("*", "routes/not-found.tsx"),
    ]),
  ]),
  route("radio", "routes/radio.tsx"),
  route("books", "routes/books.tsx"),
  route("contact/form", "routes/contact-form.tsx"),
  route("embed/contact-form", "routes/outside-form.ts"),
  route("functions/v1/get_metainfo", "routes/get-metainfo.ts"),
  route("functions/v1/get_details", "routes/get-details.ts"),
  route("blog/picture/:signature/:name", "routes/blog-picture.ts"),
  route("blog/feed.xml", "routes/blog-feed.ts", { id: "blog-feed-rss" }),
  route("blog/feed.atom", "routes/blog-feed.ts", { id: "blog-feed-atom" }),
  route("blog/feed.json", "routes/blog-feed.ts", { id: "blog-feed-json" }),
  route("pictures/:file", "routes/reader-picture.ts"),
  route("search/suggest", "routes/search-suggest.ts"),
  route("robots.txt", "routes/robots.ts"),
  route("ads.txt", "routes/ads-txt.ts"),
  route("embed/ad/:slot", "routes/ad-frame.ts"),
  route("embed/feeds/:section", "routes/feed-widget.ts"),
  route("feeds/:file", "routes/section-feed.ts"),
  route("feeds.opml", "routes/opml.ts"),
  route("status.json", "routes/status-json.ts"),
  route("embed/events", "routes/events-frame.ts"),
  route("events.ics", "routes/events-calendar.ts"),
  route("events.json", "routes/events-json.ts"),
  route("events/:id/calendar.ics", "routes/event-calendar.ts"),
] satisfies RouteConfig;
