import type { PreviewNote } from "../preview/preview.server.ts";

export function PreviewNotice({ note, noun }: { note: PreviewNote; noun: "story" | "post" }) {
  return (
    <aside aria-label="Preview" className="border-gold border-b-4 bg-sunken">
      <p className="page py-3">
        <strong className="font-semibold">
          {note.state === "draft" ? "Preview of a draft." : `Preview of a scheduled ${noun}.`}
        </strong>{" "}
        {note.publishedOn === null
          ? "It is not published."
          : `It will be published on ${note.publishedOn}.`}{" "}
        Only people with this link can see it, until {note.expiresOn}.
      </p>
    </aside>
  );
}

export function PreviewRefused() {
  return (
    <div className="page py-16 lg:py-24">
      <h1 className="text-4xl md:text-5xl">This preview link does not work</h1>
      <p className="mt-4 max-w-xl text-ink-soft text-lg">
        It may have expired, the newsroom may have ended it, or the address may be incomplete.
        Please ask the newsroom for a new link.
      </p>
    </div>
  );
}
