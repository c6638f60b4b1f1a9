import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Outlet } from "react-router";
import { appContext } from "../context.ts";
import { prepareAdRows } from "../features/ads/rows.server.ts";
import { blogFile } from "../features/blog/files.server.ts";
import { queryClient } from "../features/blog/pages/queries.ts";
import { listPostCategories } from "../features/blog/posts/published.server.ts";
import { siteSettingsFile } from "../features/brand/files.server.ts";
import { embedsFile } from "../features/embeds/files.server.ts";
import { newsletterFile } from "../features/newsletter/files.server.ts";
import { feedLinks } from "../lib/links/feed-formats.ts";
import type { RouteHandle } from "../platform/route-handle.ts";
import { HeadTags } from "../ui/seo/head-tags.tsx";
import type { Route } from "./+types/blog-layout.ts";

export const handle = { part: "blog" } satisfies RouteHandle;

/**
 * Loads everything on the blog's pages except the posts, so that the browser can fetch posts alone.
 * The pages find it in `matches[3]`, after root, layout and failures.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(appContext);
  const { site } = services;
  const { title, description, heading, intro, publicKey, videoPoster } = site.read(blogFile);
  const [listAdRow, postAdRow] = await Promise.all([
    prepareAdRows(services, "blog", null),
    prepareAdRows(services, "blog-article", null),
  ]);
  const newsletter = site.read(newsletterFile);
  return {
    head: { title, description },
    texts: { heading, intro },
    categories: await listPostCategories(services),
    publicKey,
    timeZone: site.read(siteSettingsFile).timeZone,
    newsletter: { heading: newsletter.heading, pitch: newsletter.pitch },
    video: { poster: videoPoster, eager: site.read(embedsFile).eager },
    ads: { list: listAdRow("end"), post: postAdRow("end") },
  };
}

export const shouldRevalidate = () => false;

export default function BlogLayout({ loaderData }: Route.ComponentProps) {
  const [client] = useState(queryClient);
  return (
    <QueryClientProvider client={client}>
      <HeadTags tags={feedLinks("/blog/feed", loaderData.texts.heading)} />
      <Outlet />
    </QueryClientProvider>
  );
}
