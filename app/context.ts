import { createContext } from "react-router";
import type { Edition, IsPage } from "./edition/edition.ts";
import type { SourceHealth } from "./lib/external/source-visits.server.ts";
import type { PostedForm } from "./lib/form.ts";
import type { PageLook } from "./lib/look/page-look.ts";
import type { IssueItem } from "./platform/newsletter.ts";
import type { PageScope, RadioHistory, Services } from "./platform/services.ts";
import type { ShareImages } from "./platform/share-card.ts";
import type { Sitemaps } from "./platform/sitemap.ts";

/** What loaders and actions of a route can use. */
export type AppContext = Services &
  PageScope & {
    shareImages: ShareImages;
    /**
     * Returns the title of the story, post or event at a path, such as "Canceled: Block Party".
     * Null if readers cannot open such a page, if it cannot be read, or if the path has another
     * spelling. The page that asks gets the tags of the data.
     */
    findTitle(path: string): Promise<string | null>;
    /**
     * Finds an item of a newsletter issue as it is now, by the path of its page. Null if readers
     * cannot open the page.
     */
    findIssueItem(path: string): Promise<IssueItem | null>;
    /** Returns the state of every external server that the site reads from. */
    readSourceHealth(): Promise<SourceHealth[]>;
    radio: RadioHistory;
    /** Whether browsers may store pages on the device. It changes only with a restart. */
    offlineCopies: boolean;
    /**
     * The IP address that the request comes from. Empty on a page that is rendered for all readers.
     * It is never stored or logged.
     */
    ipAddress: string;
    /** Returns the form of a POST request. The response is 400 if its body is not a form. */
    readForm(): PostedForm;
    /** The sitemaps, which list the pages of all features. */
    sitemaps: Sitemaps;
    /** The external hosts whose frames the city's pages may contain. */
    frameSources: string[];
    /** Which edition of the page the reader gets. */
    edition: Edition;
    /** The running alerts, if the page has to contain them. */
    bannerHtml: string;
    isPage: IsPage;
    look: PageLook;
    /** Whether a response with this status needs no page: see `OwnRequest` in server/http. */
    hasMissingPage(status: number): boolean;
  };

export const appContext = createContext<AppContext>();
