import { type ReactNode, Suspense } from "react";
import { AlertSlot } from "../alerts/banner/alert-slot.tsx";
import { OfflineNotice } from "../offline/offline-notice.tsx";
import type { LayoutContent } from "./files.server.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";

export function SiteLayout({ content, children }: { content: LayoutContent; children: ReactNode }) {
  const { brand, navigation, donationUrl } = content;
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="button button-gold skip-link">
        Skip to content
      </a>
      <AlertSlot />
      <Header brand={brand} navigation={navigation} donationUrl={donationUrl} />
      <OfflineNotice />
      {/* Focusable, so that the skip link can move the focus here. */}
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      {/* React hydrates a boundary in a task of its own, which makes the long task of the page
          shorter. A click in the footer before that hydrates it at once. */}
      <Suspense>
        <Footer content={content} />
      </Suspense>
    </div>
  );
}
