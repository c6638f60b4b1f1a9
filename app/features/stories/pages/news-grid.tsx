import type { NewsItem } from "../model.ts";
import { NewsCard } from "./news-card.tsx";

/** Cards in up to `columns` columns. cards.css uses fewer columns if the titles would not fit. */
export function NewsGrid({ items, columns = 3 }: { items: NewsItem[]; columns?: 2 | 3 }) {
  if (items.length === 0) return null;
  return (
    <div className={`news-grid mt-6 ${columns === 3 ? "news-grid-three" : ""}`}>
      <ul>
        {items.map((item) => (
          <li key={item.id} className="news-cell">
            <NewsCard item={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}
