import { useDeferredValue } from "react";

/** Returns false on the server and in the first render, and true soon after, in small steps. */
export const useHydrated = () => useDeferredValue(true, false);
