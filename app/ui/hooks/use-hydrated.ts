import { useDeferredValue } from "react";

/**
 * Returns false on the server and in the first render, and true soon after. React prepares that
 * second render in small steps, so that the page responds to touches meanwhile.
 */
export const useHydrated = () => useDeferredValue(true, false);
