import type { StoryCard } from "../model.ts";
import { NewsCard } from "./news-card.tsx";

/** Cards in up to `columns` columns. cards.css uses fewer columns if the titles would not fit. */
export function NewsGrid({ stories, columns = 3 }: { stories: StoryCard[]; columns?: 2 | 3 }) {
  if (stories.length === 0) return null;
  return (
    <div className={`news-grid mt-6 ${columns === 3 ? "news-grid-three" : ""}`}>
      <ul>
        {stories.map((story) => (
          <li key={story.id} className="news-cell">
            <NewsCard story={story} />
          </li>
        ))}
      </ul>
    </div>
  );
}
