import { type ReactNode, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import type { Brand } from "../brand/files.server.ts";
import type { Contact } from "../contact/files.server.ts";
import type { NewsletterTexts } from "../newsletter/files.server.ts";
import type { Navigation } from "./files.server.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { OfflineNotice } from "./offline-notice.tsx";
import { Progress } from "./progress.tsx";

export type Chrome = {
  brand: Pick<Brand, "name" | "shortName" | "city" | "network" | "tagline" | "founded" | "mark" | "social">;
  navigation: Navigation;
  contact: Contact;
  newsletter: Pick<NewsletterTexts, "heading" | "pitch">;
};

/** The shared layout: skip link, header, the page, footer. */
export function SiteFrame({ chrome, children }: { chrome: Chrome; children: ReactNode }) {
  const { brand, navigation, contact, newsletter } = chrome;
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="button button-gold skip-link">
        Skip to content
      </a>
      <Header brand={brand} main={navigation.main} apart={navigation.apart} />
      <Progress />
      <OfflineNotice />
      <Main>{children}</Main>
      <Footer brand={brand} links={navigation.footer} contact={contact} newsletter={newsletter} />
    </div>
  );
}

/** After a click on a link the reader is at the new page's beginning, for the keyboard and the screen reader too. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname, hash } = useLocation();
  const way = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    // After a form the router leaves the page where it was scrolled to, and the answer would be out of sight.
    if (way !== "POP" && hash === "") scrollTo(0, 0);
  }, [pathname, hash, way]);
  return (
    <main id="main" ref={main} tabIndex={-1} className="flex-1">
      {children}
    </main>
  );
}
