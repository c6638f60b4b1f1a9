import { later } from "../../ui/later.tsx";

export const AdSlots = later(() => import("./ad-slots.tsx").then(({ AdSlots }) => AdSlots));
