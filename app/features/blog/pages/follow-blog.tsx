import { feedHref } from "../../../lib/links/feed-formats.ts";
import { toQueryString } from "../../../lib/links/query.ts";
import { Follow } from "../../../ui/share/follow.tsx";

type Props = { origin: string; title: string; categories: { value: string; label: string }[] };

const feedPath = "/blog/feed";

export function FollowBlog({ origin, title, categories }: Props) {
  return (
    <Follow
      origin={origin}
      title={title}
      feed={{ path: feedPath }}
      parts={categories.map(({ value, label }) => ({
        label,
        href: feedHref(feedPath, "xml", toQueryString({ category: value })),
      }))}
    />
  );
}
