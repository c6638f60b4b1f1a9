import { useEffect, useId, useState } from "react";
import { createDeviceValue } from "../../lib/device/device-value.ts";
import { CityImage } from "../../ui/city-image.tsx";
import { ExternalLink } from "../../ui/external-link.tsx";
import type { EmbedContent } from "./model.ts";

type Props = {
  content: EmbedContent;
  /** Sets the size of the frame, and of the poster that is shown before it. */
  className: string;
};

/** The keys of the services that the reader has chosen to always load on this device. */
const alwaysLoaded = createDeviceValue<string[]>("harborline.embeds", [], (stored) =>
  Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : [],
);

/**
 * A part of the page that another company serves. The browser does not contact that company until
 * the reader asks: before that, the page shows one of our own images at the same size, and a plain
 * link for readers who prefer to open the other site.
 */
export function Embed({ content, className }: Props) {
  const { service, src, title, noun, link, poster, eager } = content;
  const [isLoaded, setLoaded] = useState(eager);
  const [shouldAlwaysLoad, setShouldAlwaysLoad] = useState(false);
  const noteId = useId();

  useEffect(() => {
    if (!alwaysLoaded.read().includes(service.key)) return;
    setShouldAlwaysLoad(true);
    setLoaded(true);
  }, [service.key]);

  const load = () => {
    setAlwaysLoaded(service.key, shouldAlwaysLoad);
    setLoaded(true);
  };
  const stopAlwaysLoading = () => {
    setAlwaysLoaded(service.key, false);
    setShouldAlwaysLoad(false);
  };

  return (
    <div data-embed-src={content.contentUrl ?? src}>
      {isLoaded ? (
        <iframe
          src={src}
          title={title}
          className={`embed-frame ${className}`}
          loading="lazy"
          sandbox={content.sandbox}
          allow={content.allow}
          referrerPolicy="strict-origin-when-cross-origin"
        />
      ) : (
        <div className={`embed-poster ${className}`}>
          <CityImage
            image={poster}
            load="later"
            sizes="card"
            className="absolute inset-0 h-full w-full object-cover object-top"
          />
          <div className="relative w-full bg-night/92 px-5 py-4 text-on-navy [--focus:var(--color-gold)]">
            <p id={noteId} className="script-only text-sm">
              This comes from {service.name}. If you load it, {service.name} learns your IP address
              and that you came from our site.
            </p>
            <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
              <button
                type="button"
                className="button button-gold script-only"
                aria-describedby={noteId}
                onClick={load}
              >
                Load {noun}
              </button>
              <ExternalLink href={link.url} className="font-semibold underline underline-offset-4">
                {link.label}
              </ExternalLink>
            </div>
            <label className="script-only mt-3 flex w-fit items-center gap-2 py-1 text-sm">
              <input
                type="checkbox"
                className="size-6"
                checked={shouldAlwaysLoad}
                onChange={(event) => setShouldAlwaysLoad(event.target.checked)}
              />
              Always load {service.name} on this device
            </label>
          </div>
        </div>
      )}
      {isLoaded && (
        <div className="mt-2 flex flex-wrap gap-x-5 text-ink-soft text-sm">
          <ExternalLink href={link.url} className="text-link py-1">
            {link.label}
          </ExternalLink>
          {shouldAlwaysLoad && !eager && (
            <p className="py-1">
              {service.name} loads automatically, as you asked.{" "}
              <button type="button" className="text-link py-1" onClick={stopAlwaysLoading}>
                Ask me again next time
              </button>
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** If the browser does not allow storage, the reader is asked again next time. */
function setAlwaysLoaded(service: string, shouldAlwaysLoad: boolean): void {
  const others = alwaysLoaded.read().filter((item) => item !== service);
  const services = shouldAlwaysLoad ? [...others, service] : others;
  alwaysLoaded.write(services.length > 0 ? services : null);
}
