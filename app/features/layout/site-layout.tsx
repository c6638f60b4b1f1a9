import { type ReactNode, Suspense } from "react";
import { AlertSlot } from "../alerts/banner/alert-slot.tsx";
import type { Contact } from "../brand/contact-file.server.ts";
import type { SiteSettings } from "../brand/files.server.ts";
import type { NetworkCity } from "../brand/network-file.server.ts";
import type { NewsletterTexts } from "../newsletter/files.server.ts";
import { OfflineNotice } from "../offline/offline-notice.tsx";
import type { Navigation, Wordmark } from "./files.server.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";

export type LayoutContent = {
  brand: Pick<SiteSettings, "name" | "shortName" | "city" | "tagline" | "mark" | "social"> & {
    wordmark: Wordmark | null;
    /** The name of the network, and its cities that the footer names. */
    network: string;
    sisters: NetworkCity[];
  };
  navigation: Navigation;
  contact: Contact;
  newsletter: Pick<NewsletterTexts, "heading" | "pitch">;
  donationUrl: string | undefined;
  /** The years in the copyright line, such as 2023–2026. */
  years: string;
};

export function SiteLayout({ content, children }: { content: LayoutContent; children: ReactNode }) {
  const { brand, navigation, ...footer } = content;
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="button button-gold skip-link">
        Skip to content
      </a>
      <AlertSlot />
      <Header brand={brand} navigation={navigation} donationUrl={footer.donationUrl} />
      <OfflineNotice />
      {/* Focusable, so that the skip link can move the focus here. */}
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      {/* React hydrates a boundary in a task of its own, which makes the long task of the page
          shorter. A click in the footer before that hydrates it at once. */}
      <Suspense>
        <Footer brand={brand} navigation={navigation} {...footer} />
      </Suspense>
    </div>
  );
}
