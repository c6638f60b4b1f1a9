import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { feedExtensions, feedFormats, feedHref } from "../../lib/links/feed-formats.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import { CloseIcon, CopyIcon, FollowIcon } from "../icons.tsx";
import { CopyNote, copyText, useCopyOutcome } from "./copy-outcome.tsx";

type Props = {
  /** The origin of the site: other programs need full URLs. */
  origin: string;
  /** What the list is called, such as "Local News from Hampden". */
  title: string;
  /** The path of its feeds, without the extension, and their query. */
  feed?: { path: string; query?: string };
  /** What its feeds contain, if that is not the same as on the page. */
  feedNote?: string;
  /** The feeds of its parts, such as categories. */
  parts?: { label: string; href: string }[];
  /** The path and query of its calendar. */
  calendar?: string;
  /** The path and query of its widget, which other sites can show in a frame. */
  widget?: string;
};

const panelId = "follow";

/**
 * A link with this fragment opens the panel. No element has this id, so the page does not scroll.
 */
export const followFragment = "#open-follow";

/**
 * A button, and a panel with the ways to follow a list: feeds, a calendar, a widget. The browser
 * opens and closes the panel, so it works without JavaScript.
 */
export function Follow({ origin, title, feed, feedNote, parts, calendar, widget }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    // A click, because the browser then shows the panel next to the button.
    if (hash === followFragment) button.current?.click();
  }, [hash]);
  return (
    <div className="follow no-print flex-none">
      <button
        ref={button}
        type="button"
        popoverTarget={panelId}
        className="button button-plain button-small"
      >
        <FollowIcon />
        Follow<span className="sr-only"> {title}</span>
      </button>
      <div
        id={panelId}
        popover="auto"
        role="dialog"
        aria-labelledby={`${panelId}-title`}
        className="sheet drop-panel"
      >
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${panelId}-title`} className="text-2xl">
            Follow {title}
          </h2>
          <button
            type="button"
            popoverTarget={panelId}
            popoverTargetAction="hide"
            className="icon-button -mt-1 -mr-2 shrink-0"
            aria-label="Close"
          >
            <CloseIcon />
          </button>
        </div>
        {calendar !== undefined && <CalendarWays url={origin + calendar} path={calendar} />}
        {feed && (
          <Ways title="In a feed reader" note={feedNote}>
            {feedExtensions.map((extension) => {
              const path = feedHref(feed.path, extension, feed.query);
              const { name } = feedFormats[extension];
              return <Way key={path} href={path} label={name} url={origin + path} />;
            })}
          </Ways>
        )}
        {parts && parts.length > 0 && (
          <p className="mt-2 text-sm">
            Only one subject:{" "}
            {parts.map(({ label, href }, index) => (
              <span key={href}>
                {index > 0 && ", "}
                <a href={href} className="text-link inline-block py-0.5">
                  {label}
                </a>
              </span>
            ))}
          </p>
        )}
        {widget !== undefined && <WidgetCode code={toWidgetCode(origin + widget, title)} />}
        <p className="mt-5 text-ink-soft text-sm">
          Free, without an account.{" "}
          <a href="/feeds.opml" className="text-link">
            All our feeds in one file (OPML)
          </a>
        </p>
      </div>
    </div>
  );
}

type WaysProps = { title: string; note?: string | undefined; children: ReactNode };

const Ways = ({ title, note, children }: WaysProps) => (
  <section className="mt-4">
    <h3>{title}</h3>
    {note && <p className="text-ink-soft text-sm">{note}</p>}
    <ul className="follow-ways">{children}</ul>
  </section>
);

const Way = ({ href, label, url }: { href: string; label: string; url: string }) => (
  <li>
    <a href={href} className="text-link inline-block py-1.5 font-semibold">
      {label}
    </a>
    <CopyButton text={url} label={`the link: ${label}`} />
  </li>
);

/** Calendar programs open webcal: links and then fetch the calendar again and again. */
const CalendarWays = ({ url, path }: { url: string; path: string }) => (
  <Ways
    title="In your calendar"
    note="Subscribe once, and the events stay up to date on your phone or computer."
  >
    <li>
      <a
        href={url.replace(/^https?:/, "webcal:")}
        className="text-link inline-block py-1.5 font-semibold"
      >
        Subscribe in a calendar app
      </a>
    </li>
    <Way href={path} label="Calendar file (.ics)" url={url} />
  </Ways>
);

function WidgetCode({ code }: { code: string }) {
  return (
    <section className="mt-4">
      <div className="flex items-center justify-between gap-4">
        <h3>
          <label htmlFor={`${panelId}-code`}>On your own site</label>
        </h3>
        <CopyButton text={code} label="the code" />
      </div>
      <textarea id={`${panelId}-code`} readOnly rows={5} className="follow-code" value={code} />
    </section>
  );
}

const copyNotes = {
  copied: "Copied.",
  refused: "Your browser did not allow copying. Please select the text and copy it.",
};

/** Copies a text. `label` says which. The button is hidden without JavaScript. */
function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, run] = useCopyOutcome();
  return (
    <span className="script-only relative -mr-2.5 inline-flex items-center">
      <button type="button" className="share-tool" onClick={() => run(() => copyText(text))}>
        <CopyIcon />
        Copy<span className="sr-only"> {label}</span>
      </button>
      <CopyNote outcome={outcome} texts={copyNotes} className="follow-note" />
    </span>
  );
}

const toWidgetCode = (url: string, title: string) =>
  `<iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" width="100%" height="480" loading="lazy"></iframe>`;
