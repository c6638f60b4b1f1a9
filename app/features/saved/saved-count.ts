import { createMemoryValue } from "../../lib/device/memory-value.ts";

/** How many items the reader has saved. The header shows it without loading the list itself. */
export const savedCount = createMemoryValue(0);
