import { later } from "../../../ui/later.tsx";

export const NewsGrid = later(() => import("./news-cards.tsx").then(({ NewsCards }) => NewsCards));
