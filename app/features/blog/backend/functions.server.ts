import { errorFields } from "../../../lib/log.ts";
import { maxSlugLength } from "../contract.ts";
import { blogFile } from "../files.server.ts";
import { domainOf, pageNumber } from "../model.ts";
import { readFullPost, readPostList } from "./load.server.ts";
import { type FullPostServices, knownDomain, networkDomains } from "./source.server.ts";

type BlogFunction = (query: URLSearchParams, services: FullPostServices) => Promise<unknown>;

class BadRequest extends Error {}

/** GET /functions/v1/get_metainfo?domain=&page= */
export const getMetainfo: BlogFunction = async (query, services) => {
  const domain = query.get("domain") ?? "";
  if (domain.length > maxSlugLength) throw new BadRequest("The domain is too long.");
  return readPostList(services, knownDomain(services.site, domain), pageNumber(query.get("page")));
};

/** GET /functions/v1/get_details?slug= */
export const getDetails: BlogFunction = async (query, services) => {
  const slug = query.get("slug") ?? "";
  if (slug === "") throw new BadRequest("The slug is missing.");
  if (slug.length > maxSlugLength) throw new BadRequest("The slug is too long.");
  return readFullPost(services, slug);
};

export async function handleFunction(
  request: Request,
  services: FullPostServices,
  blogFunction: BlogFunction,
): Promise<Response> {
  const headers = corsHeaders(request.headers.get("origin") ?? undefined, services);
  const refuse = (status: number, error: string) => Response.json({ error }, { status, headers });
  const { publicKey } = services.site.read(blogFile);
  if (request.headers.get("authorization") !== `Bearer ${publicKey}`) {
    headers.set("WWW-Authenticate", "Bearer");
    return refuse(401, "Send the site's public key: Authorization: Bearer <key>.");
  }
  try {
    const body = await blogFunction(new URL(request.url).searchParams, services);
    return Response.json(body, { headers });
  } catch (error) {
    if (error instanceof BadRequest) return refuse(400, error.message);
    services.log.error("blog.function_failed", errorFields(error));
    return refuse(503, "The blog is not available right now. Try again in a moment.");
  }
}

export const methodNotAllowed = () =>
  Response.json({ error: "Use GET." }, { status: 405, headers: { Allow: "GET, HEAD, OPTIONS" } });

/**
 * Browsers let only the pages of the network's cities, on their own domains, call the functions.
 */
export function corsHeaders(
  requestOrigin: string | undefined,
  { site }: Pick<FullPostServices, "site">,
): Headers {
  const headers = new Headers({ Vary: "Origin" });
  const origin = URL.parse(requestOrigin ?? "");
  if (origin?.protocol !== "https:" || !networkDomains(site).includes(domainOf(origin.host)))
    return headers;
  headers.set("Access-Control-Allow-Origin", origin.origin);
  headers.set("Access-Control-Allow-Methods", "GET");
  headers.set("Access-Control-Allow-Headers", "Authorization, Content-Type");
  headers.set("Access-Control-Max-Age", "86400");
  return headers;
}
