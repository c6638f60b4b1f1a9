import type { ReactNode } from "react";
import { Form, NavLink } from "react-router";
import { deskAlertsPath } from "../alerts/model.ts";
import { devicesPath, logPath, waitingPath } from "../model.ts";
import { publishedPath } from "../published/model.ts";
import { writePath } from "../write/model.ts";
import { ConnectionCheck } from "./connection-check.tsx";

type Props = {
  siteName: string;
  editor: { name: string } | null;
  /** The number of submissions and messages that wait. */
  waiting: number;
  children: ReactNode;
};

/** The frame of every page of the desk, instead of the header and the footer for readers. */
export function DeskFrame({ siteName, editor, waiting, children }: Props) {
  return (
    <div className="desk">
      <a href="#main" className="button button-gold skip-link">
        Skip to content
      </a>
      <ConnectionCheck />
      <header className="desk-header">
        <p className="desk-title">
          {siteName} <span>The desk</span>
        </p>
        {editor && (
          <>
            <nav aria-label="The desk" className="desk-nav">
              <NavLink to={waitingPath}>
                Waiting{waiting > 0 && <span className="desk-count">{waiting}</span>}
              </NavLink>
              <NavLink to={writePath}>Write</NavLink>
              <NavLink to={publishedPath}>Published</NavLink>
              <NavLink to={deskAlertsPath}>Alerts</NavLink>
              <NavLink to={logPath}>Log</NavLink>
              <NavLink to={devicesPath}>Devices</NavLink>
            </nav>
            <Form method="post" action={devicesPath} className="desk-editor">
              <span>{editor.name}</span>
              <button type="submit" name="device" value="this" className="desk-tap text-link">
                Sign out
              </button>
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
