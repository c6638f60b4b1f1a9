import type { NewsItem } from "./model.ts";
import { NewsCard } from "./news-card.tsx";

/** Cards side by side: three tall ones, or two wide ones. */
export function NewsGrid({ items, shape = "tall" }: { items: NewsItem[]; shape?: "tall" | "wide" }) {
  return (
    <ul className={`mt-6 grid gap-6 lg:gap-8 ${shape === "tall" ? "md:grid-cols-3" : "md:grid-cols-2"}`}>
      {items.map((item) => (
        <li key={item.id} className="grid">
          <NewsCard item={item} shape={shape} />
        </li>
      ))}
    </ul>
  );
}
