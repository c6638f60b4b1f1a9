import { TitleBlock, TitleList } from "../../../ui/title-list.tsx";
import type { SectionPosts } from "../model.ts";
import { listPath } from "../paths.ts";

type Props = { section: string; content: SectionPosts };

export function PostsBlock({ section, content: { posts, isOfSection } }: Props) {
  if (posts.length === 0) return null;
  return (
    <TitleBlock label={isOfSection ? `${section} on our blog` : "New on our blog"} to={listPath(1)}>
      <TitleList items={posts.map(({ title, path }) => ({ title, to: path }))} />
    </TitleBlock>
  );
}
