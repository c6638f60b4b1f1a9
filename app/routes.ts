import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site, in the order of the specification. A route enters with its page. */
export default [
  layout("routes/layout.tsx", [
    layout("routes/failures.tsx", [
      index("routes/home.tsx"),
      route("news/:id", "routes/story.tsx"),
      route("events/:id", "routes/event.tsx"),
      route("privacy", "routes/privacy.tsx"),
      route("terms", "routes/terms.tsx"),
      route("about", "routes/about.tsx"),
      route("search", "routes/search.tsx"),
      route("newsletter", "routes/newsletter.tsx"),
      route("*", "routes/not-found.tsx"),
    ]),
  ]),
  route("robots.txt", "routes/robots.ts"),
  route("ads.txt", "routes/ads-txt.ts"),
  route("embed/ad/:slot", "routes/ad-frame.ts"),
] satisfies RouteConfig;
