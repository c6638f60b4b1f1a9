import type { ReactNode } from "react";
import { Form, Link, NavLink, useLocation } from "react-router";
import { entriesPath, entryLists } from "../entries/model.ts";
import { deskAlertsPath, devicesPath, logPath, waitingPath } from "../model.ts";
import { publishedPath } from "../published/model.ts";
import { writePath } from "../write/model.ts";
import { ConnectionCheck } from "./connection-check.tsx";
import { Press } from "./parts.tsx";

type Props = {
  siteName: string;
  editor: { name: string } | null;
  waiting: number;
  alerts: number;
  children: ReactNode;
};

/** The frame of every page of the desk, instead of the header and the footer for readers. */
export function DeskFrame({ siteName, editor, waiting, alerts, children }: Props) {
  return (
    <div className="desk">
      <a href="#main" className="button button-gold skip-link">
        Skip to content
      </a>
      <ConnectionCheck />
      <header className="flex flex-wrap items-baseline gap-x-4 border-line border-b px-4 pt-3 lg:gap-x-6 lg:px-8">
        <p className="font-semibold font-serif text-lg">
          {siteName}{" "}
          <span className="ml-1 hidden font-normal text-ink-soft sm:inline">The desk</span>
        </p>
        {editor && (
          <>
            <nav aria-label="The desk" className="desk-nav">
              <NavLink to={waitingPath}>
                Waiting
                <Count of={waiting} />
              </NavLink>
              <WriteLink />
              <NavLink to={publishedPath}>Published</NavLink>
              <NavLink to={deskAlertsPath}>
                Alerts
                <Count of={alerts} />
              </NavLink>
              <NavLink to={logPath}>Log</NavLink>
              <NavLink to={devicesPath}>Devices</NavLink>
            </nav>
            <Form
              method="post"
              action={devicesPath}
              className="ml-auto flex items-baseline gap-3 text-ink-soft text-sm"
            >
              <span className="max-[22rem]:hidden">{editor.name}</span>
              <Press name="device" value="this" look="desk-tap text-link">
                Sign out
              </Press>
            </Form>
          </>
        )}
      </header>
      <main id="main" tabIndex={-1} className="desk-main">
        {children}
      </main>
    </div>
  );
}

const Count = ({ of }: { of: number }) =>
  of > 0 && <span className="rounded-full bg-navy px-2 text-on-navy text-sm">{of}</span>;

/** This link is also marked as current on the pages of meetings and listings. */
function WriteLink() {
  const { pathname } = useLocation();
  const isCurrent = [writePath, ...entryLists.map(entriesPath)].some(
    (path) => pathname === path || pathname.startsWith(`${path}/`),
  );
  return (
    <Link to={writePath} aria-current={isCurrent ? "page" : undefined}>
      Write
    </Link>
  );
}
