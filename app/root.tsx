import { type ReactNode, use } from "react";
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
import { appContext } from "./context.ts";
import { isBlogPath } from "./features/blog/paths.ts";
import { siteSettingsFile } from "./features/brand/files.server.ts";
import { DeviceLayer } from "./features/device/device-layer.tsx";
import { ErrorView } from "./features/failures/error-view.tsx";
import { PageArrival, Progress } from "./features/layout/page-arrival.tsx";
import { OfflineLayer } from "./features/offline/offline-layer.tsx";
import { RadioLayer } from "./features/radio/radio-layer.tsx";
import { revalidateLayout } from "./lib/http/revalidation.ts";
import { artPath } from "./lib/images/art.ts";
import { PageLookContext } from "./lib/look/page-look.ts";
import { TooltipLayer } from "./ui/tooltip.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const { site } = context.get(appContext);
  const { name, origin, mark, touchIcon, shareImage } = site.read(siteSettingsFile);
  const absent = site.listAbsent();
  return {
    site: { name, origin, shareImage },
    icons: { mark: artPath(mark), touch: artPath(touchIcon) },
    // `useHasPage` reads this. Most cities have every part, so it is left out.
    ...(absent.length > 0 ? { absent } : {}),
  };
}

export const shouldRevalidate = revalidateLayout(isBlogPath);

const loadSavedPaths = () =>
  import("./features/saved/saved-items.ts").then(({ readSavedPaths }) => readSavedPaths());

export function Layout({ children }: { children: ReactNode }) {
  const icons = useRouteLoaderData<typeof loader>("root")?.icons;
  const look = use(PageLookContext);
  return (
    // The display script adds attributes before React starts.
    <html lang="en-US" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {/* This script runs before React starts, so its text exists only on the server. */}
        <script
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, without input
          dangerouslySetInnerHTML={{ __html: look?.displayScript ?? "" }}
          suppressHydrationWarning
        />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {look &&
          (["light", "dark"] as const).map((scheme) => (
            <meta
              key={scheme}
              name="theme-color"
              content={look.paper[scheme]}
              media={`(prefers-color-scheme: ${scheme})`}
            />
          ))}
        <Meta />
        {icons && <link rel="icon" href={icons.mark} />}
        <link rel="manifest" href="/manifest.webmanifest" />
        {icons && <link rel="apple-touch-icon" href={icons.touch} />}
        <Links />
        {look?.fonts.map((href) => (
          <link
            key={href}
            rel="preload"
            href={href}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        {/* With a precedence, React puts the stylesheet before the preloads of the fonts. */}
        {look && <link rel="stylesheet" href={look.stylesheet} precedence="default" />}
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
