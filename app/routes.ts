import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";
import { sectionNames } from "./features/feeds/model.ts";
import { feedExtensions, feedHref } from "./lib/links/feed-formats.ts";

/** Several paths that the same module serves. */
const shared = (module: string, paths: string[]) =>
  paths.map((path) => route(path, module, { id: path }));

/** A feed in each of its formats. */
const feed = (path: string, module: string) =>
  shared(
    module,
    feedExtensions.map((extension) => feedHref(path, extension)),
  );

/**
 * Every page and generated file. server/app.ts, server/radio and server/live serve the other paths.
 */
export default [
  layout("routes/layout.tsx", [
    layout("routes/failures.tsx", [
      index("routes/home.tsx"),
      route("news", "routes/news.tsx"),
      route("news/:slug", "routes/story.tsx"),
      route("stories", "routes/stories.tsx"),
      route("corrections", "routes/corrections.tsx"),
      route("preview/:id/:token", "routes/story-preview.tsx"),
      ...shared("routes/section.tsx", [...sectionNames]),
      route("alerts", "routes/alerts.tsx"),
      route("archives", "routes/archives.tsx"),
      route("brief", "routes/brief.tsx"),
      route("brief/archive", "routes/brief-archive.tsx"),
      route("brief/:day", "routes/brief-day.tsx"),
      route("weather", "routes/weather.tsx"),
      route("events", "routes/events.tsx"),
      route("events/submit", "routes/submit-event.tsx"),
      route("events/:id", "routes/event.tsx"),
      route("meetings", "routes/meetings.tsx"),
      route("meetings/:id", "routes/meeting.tsx"),
      layout("routes/blog-layout.tsx", [
        route("blog", "routes/blog.tsx"),
        route("blog/:slug", "routes/blog-post.tsx"),
        route("preview/blog/:slug/:token", "routes/blog-preview.tsx"),
      ]),
      route("partners", "routes/partners.tsx"),
      route("faq", "routes/faq.tsx"),
      route("community", "routes/community.tsx"),
      route("community/submit", "routes/submit-story.tsx"),
      route("contact", "routes/contact.tsx"),
      route("privacy", "routes/privacy.tsx"),
      route("terms", "routes/terms.tsx"),
      route("about", "routes/about.tsx"),
      route("offline", "routes/offline.tsx"),
      route("status", "routes/status.tsx"),
      route("saved", "routes/saved.tsx"),
      route("search", "routes/search.tsx"),
      route("newsletter", "routes/newsletter.tsx"),
      route("newsletter/confirm", "routes/newsletter-confirm.tsx"),
      route("newsletter/unsubscribe", "routes/newsletter-unsubscribe.tsx"),
      route("desk", "routes/desk/layout.tsx", [
        layout("routes/desk/failures.tsx", [
          index("routes/desk/sign-in.tsx"),
          route("enter", "routes/desk/enter.tsx"),
          route("open", "routes/desk/open.tsx"),
          layout("routes/desk/waiting/layout.tsx", [
            ...shared("routes/desk/waiting/list.tsx", ["waiting", "waiting/done", "waiting/bin"]),
            route("waiting/all", "routes/desk/waiting/all.tsx"),
            route("waiting/:kind/:id", "routes/desk/waiting/item.tsx"),
          ]),
          route("published", "routes/desk/published/list.tsx"),
          route("published/:kind/:id", "routes/desk/published/item.tsx"),
          route("published/:kind/:id/versions", "routes/desk/published/versions.tsx"),
          route("write", "routes/desk/write/drafts.tsx"),
          route("write/:id", "routes/desk/write/draft.tsx"),
          route("alerts", "routes/desk/alerts.tsx"),
          route("log", "routes/desk/log.tsx"),
          route("devices", "routes/desk/devices.tsx"),
          route(":list", "routes/desk/entries.tsx"),
          route("*", "routes/desk/not-found.tsx"),
        ]),
      ]),
      route("desk/write/:id/preview", "routes/desk/write/preview.tsx"),
      route("*", "routes/not-found.tsx"),
    ]),
  ]),
  route("desk/write/:id/save", "routes/desk/write/save.ts"),
  route("desk/write/:id/images", "routes/desk/write/upload.ts"),
  route("desk/images/:file", "routes/desk/write/image.ts"),
  route("radio", "routes/radio.tsx"),
  route("banner.json", "routes/banner-json.ts"),
  route("radio.json", "routes/radio-json.ts"),
  route("books", "routes/books.tsx"),
  route("contact/form", "routes/contact-form.tsx"),
  route("embed/contact-form", "routes/embed-contact-form.ts"),
  ...shared("routes/blog-functions.ts", ["functions/v1/get_metainfo", "functions/v1/get_details"]),
  route("blog/picture/:signature/:name", "routes/blog-image.ts"),
  ...feed("blog/feed", "routes/blog-feed.ts"),
  route("pictures/:file", "routes/stored-image.ts"),
  route("share/:kind/:id/:file", "routes/share-image.ts"),
  route("search/suggest", "routes/search-suggest.ts"),
  route("manifest.webmanifest", "routes/manifest.ts"),
  ...feed("search", "routes/search-feed.ts"),
  route("robots.txt", "routes/robots.ts"),
  ...shared("routes/sitemaps.ts", ["sitemap.xml", "sitemap/:file", "news-sitemap.xml"]),
  route("ads.txt", "routes/ads-txt.ts"),
  route(".well-known/security.txt", "routes/security-txt.ts"),
  route("embed/ad/:slot", "routes/ad-frame.ts"),
  route("embed/feeds/:section", "routes/feed-widget.ts"),
  ...feed("feeds/stories", "routes/story-feed.ts"),
  ...feed("feeds/alerts", "routes/alert-feed.ts"),
  ...feed("feeds/brief", "routes/brief-feed.ts"),
  ...feed("feeds/events", "routes/event-formats.ts"),
  ...feed("feeds/meetings", "routes/meeting-formats.ts"),
  route("feeds/:file", "routes/section-feed.ts"),
  route("feeds.opml", "routes/opml.ts"),
  route("status.json", "routes/status-json.ts"),
  ...shared("routes/event-formats.ts", ["embed/events", "events.ics", "events.json"]),
  route("events/:id/calendar.ics", "routes/event-calendar.ts"),
  ...shared("routes/meeting-formats.ts", ["meetings.ics"]),
  route("meetings/:id/calendar.ics", "routes/meeting-calendar.ts"),
] satisfies RouteConfig;
