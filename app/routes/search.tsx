import { data } from "react-router";
import { appContext } from "../context.ts";
import { brandFile } from "../features/brand/files.server.ts";
import { sectionsFile } from "../features/feeds/files.server.ts";
import { navigationFile } from "../features/layout/files.server.ts";
import { answerQuestion, retryAfterSeconds } from "../features/search/desk.server.ts";
import { libraryOf } from "../features/search/find.server.ts";
import { countedAs, type Question, readQuestion } from "../features/search/model.ts";
import { SearchPage } from "../features/search/search-page.tsx";
import { pageMeta } from "../features/seo/meta.ts";
import type { Route } from "./+types/search.ts";

export const handle = { page: { cache: "none" } };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { site } = app;
  const question = readQuestion(url.searchParams);
  const sections = site.read(navigationFile).main.flatMap(({ links }) => links);
  if (question.query === "") return { question, sections, findings: null, isBusy: false };
  const library = libraryOf(app, site.read(sectionsFile), site.read(brandFile));
  const findings = await answerQuestion(library, question, app.address);
  if (findings === null) {
    const headers = { "Retry-After": String(retryAfterSeconds) };
    return data({ question, sections, findings, isBusy: true }, { status: 503, headers });
  }
  if (!isAskedAgain(request, question)) {
    const words = countedAs(question.query);
    app.tally.count("search", words);
    if (findings.match.kind !== "all") app.tally.count("unanswered", words);
  }
  return { question, sections, findings, isBusy: false };
}

export const headers = ({ loaderHeaders }: Route.HeadersArgs) => loaderHeaders;

/** A question is counted once, not again for each page and kind of its answer, nor on the way back to all of it. */
function isAskedAgain(request: Request, { query, kind, page }: Question): boolean {
  if (page > 1 || kind !== null) return true;
  const from = URL.parse(request.headers.get("Referer") ?? "");
  return from?.pathname === "/search" && readQuestion(from.searchParams).query === query;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const query = loaderData?.question.query;
  const title = query ? `Search: ${query}` : "Search";
  const description = "Search our stories, events, answers and the headlines of others by their words.";
  return pageMeta(matches[0].loaderData?.site, { title, description, path: "/search", index: false });
}

export default function SearchRoute({ loaderData }: Route.ComponentProps) {
  return <SearchPage {...loaderData} />;
}
