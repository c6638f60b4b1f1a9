import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { DidYouKnow } from "../features/home/did-you-know.tsx";
import { homeFile } from "../features/home/files.server.ts";
import { Hero } from "../features/home/hero.tsx";
import { pageMeta } from "../features/seo/meta.ts";
import type { Route } from "./+types/home.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { description, keywords } = site.read(brandFile);
  const { title, hero, fact } = site.read(homeFile);
  return { head: { title, description, keywords }, hero, fact };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(matches[0].loaderData?.site, { ...loaderData.head, path: "/" }) : [];
}

export default function HomeRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Hero hero={loaderData.hero} />
      <DidYouKnow fact={loaderData.fact} />
    </>
  );
}
