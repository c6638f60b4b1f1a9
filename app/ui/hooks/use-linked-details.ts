import { useEffect } from "react";
import { useLocation } from "react-router";

/**
 * When a page loads, the browser itself opens the `<details>` that contains what the URL's fragment
 * names. After a navigation by the router it does not, so this hook opens it.
 */
export function useLinkedDetails(): void {
  const { hash } = useLocation();
  useEffect(() => {
    const target = document.getElementById(hash.slice(1));
    const details = target?.closest("details");
    if (!details || details.open) return;
    details.open = true;
    // Smooth scrolling would take a second on a long page.
    details.scrollIntoView({ behavior: "instant" });
  }, [hash]);
}
