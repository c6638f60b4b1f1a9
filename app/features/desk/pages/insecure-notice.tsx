/** Shown where anybody on the way could read the editor's cookie. */
export const InsecureNotice = () => (
  <div className="desk-narrow">
    <h1 className="desk-heading">The desk needs HTTPS</h1>
    <p>
      This page was opened over plain HTTP, so anybody on the way could read and use your session.
      Open it with https:// instead. If there is no HTTPS yet, docs/operations.md says how to set it
      up.
    </p>
  </div>
);
