import type { ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root.ts";
import stylesheet from "./app.css?url";
import { appContext } from "./context.ts";
import { isBlogPath } from "./features/blog/paths.ts";
import { siteSettingsFile } from "./features/brand/files.server.ts";
import { DeviceLayer } from "./features/device/device-layer.tsx";
import { ErrorView } from "./features/failures/error-view.tsx";
import { PageArrival } from "./features/layout/page-arrival.tsx";
import { Progress } from "./features/layout/progress.tsx";
import { OfflineLayer } from "./features/offline/offline-layer.tsx";
import { RadioLayer } from "./features/radio/radio-layer.tsx";
import { displayScript } from "./lib/device/display-script.ts";
import { paperColors } from "./lib/device/paper-colors.ts";
import { revalidateLayout } from "./lib/http/revalidation.ts";
import { artPath } from "./lib/images/art.ts";
import sansFont from "./styles/fonts/libre-franklin.woff2?url";
import serifFont from "./styles/fonts/newsreader.woff2?url";
import { TooltipLayer } from "./ui/tooltip.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { name, origin, mark, touchIcon, shareImage } = site.read(siteSettingsFile);
  const absent = site.listAbsent();
  return {
    site: { name, origin, shareImage },
    icons: { mark: artPath(mark), touch: artPath(touchIcon) },
    // For `useHasPage`. Most cities have everything.
    ...(absent.length > 0 ? { absent } : {}),
  };
}

export const shouldRevalidate = revalidateLayout(isBlogPath);

export const links: Route.LinksFunction = () =>
  [serifFont, sansFont].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  }));

const loadSavedPaths = () =>
  import("./features/saved/saved-items.ts").then(({ readSavedPaths }) => readSavedPaths());

/** The script has run when React starts in the browser, so the browser's bundle lacks its text. */
const headScript = import.meta.env.SSR ? displayScript : "";

export function Layout({ children }: { children: ReactNode }) {
  const icons = useRouteLoaderData<typeof loader>("root")?.icons;
  return (
    // The display script adds attributes before React starts.
    <html lang="en-US" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, without input */}
        <script dangerouslySetInnerHTML={{ __html: headScript }} suppressHydrationWarning />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          content={paperColors.light}
          media="(prefers-color-scheme: light)"
        />
        <meta name="theme-color" content={paperColors.dark} media="(prefers-color-scheme: dark)" />
        <Meta />
        {icons && <link rel="icon" href={icons.mark} />}
        <link rel="manifest" href="/manifest.webmanifest" />
        {icons && <link rel="apple-touch-icon" href={icons.touch} />}
        <Links />
        {/* With a precedence, React puts the stylesheet before the preloads of the fonts. */}
        <link rel="stylesheet" href={stylesheet} precedence="default" />
      </head>
      <body>
        {children}
        <RadioLayer />
        <OfflineLayer loadSavedPaths={loadSavedPaths} />
        <Progress />
        <PageArrival />
        <DeviceLayer />
        <TooltipLayer />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Shown if even the shared layout could not be rendered. */
export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <main>
      <title>
        {isRouteErrorResponse(error) ? error.statusText : "Unexpected Application Error!"}
      </title>
      <ErrorView error={error} />
    </main>
  );
}
