import type { StoryCard } from "../model.ts";
import { NewsCard } from "./news-card.tsx";

/** Cards in one or two columns. Of three stories, the first one is larger, with the others beside it. */
export function NewsGrid({ stories, columns = 3 }: { stories: StoryCard[]; columns?: 2 | 3 }) {
  if (stories.length === 0) return null;
  const hasLead = columns === 3 && stories.length >= 3;
  return (
    <div className="news-grid mt-4">
      <ul>
        {stories.map((story, index) => (
          <li key={story.id} className={`news-cell ${hasLead && index === 0 ? "news-lead" : ""}`}>
            <NewsCard story={story} />
          </li>
        ))}
      </ul>
    </div>
  );
}
