import { isUuid } from "../../../lib/is-uuid.ts";
import { toQueryString } from "../../../lib/links/query.ts";
import type { SubmissionRef } from "../../forms/model.ts";
import { kindLabels, waitingPath } from "../model.ts";
import { toPublicPath } from "../published/model.ts";

export type { SubmissionRef };
export type SubmissionKind = SubmissionRef["kind"];
export const submissionKinds: SubmissionKind[] = ["story", "event", "message"];

/** The kinds that readers of the city can send: no events in a city without events. */
export const listKinds = (site: { hasPage(path: string): boolean }): SubmissionKind[] =>
  submissionKinds.filter((kind) => kind !== "event" || site.hasPage("/events"));

/** The ids of one kind. The database refuses a query with an id that cannot exist. */
export const idsOf = (refs: SubmissionRef[], kind: SubmissionKind): string[] =>
  refs.flatMap((ref) => (ref.kind === kind && isPossible(ref) ? [ref.id] : []));

const isPossible = ({ kind, id }: SubmissionRef) => (kind === "event" ? isEventId(id) : isUuid(id));

export const isEventId = (text: string): boolean => /^[\w-]{1,100}$/.test(text);

/** "accept" approves a story or an event, and marks a message as done. */
export const actions = ["accept", "reject"] as const;
export type Action = (typeof actions)[number];

export const undoMinutes = 10;
/** Each selected row is a field of a form, of which the server accepts at most `maxFormFields`. */
export const pageSize = 50;
/** How many an editor can decide about at once. */
export const maxSelected = 5_000;
export const maxReasonLength = 1_000;
export const maxAnswerLength = 10_000;

/** The lists of the desk, with their paths. */
export const listPaths = {
  waiting: waitingPath,
  done: `${waitingPath}/done`,
  bin: `${waitingPath}/bin`,
};
export const listTitles = { waiting: "Waiting", done: "Done", bin: "Bin" };
export type ListName = keyof typeof listPaths;
export const listNames: ListName[] = ["waiting", "done", "bin"];
export const toListName = (path: string): ListName =>
  listNames.find((name) => listPaths[name] === path) ?? "waiting";
export const allPath = `${waitingPath}/all`;
export const submissionPath = ({ kind, id }: SubmissionRef): string =>
  `${waitingPath}/${kind}/${id}`;

/** The path of the page of a submission that is approved. Messages have no page. */
export const findPagePath = ({
  kind,
  id,
  state,
  slug,
}: SubmissionRef & { state: string; slug?: string | null }): string | undefined =>
  state === "approved" && kind !== "message"
    ? toPublicPath(kind, kind === "story" ? (slug ?? "") : id)
    : undefined;

/** Which part of a list an editor looks at. Null for all kinds. */
export type ListPart = { kind: SubmissionKind | null; page: number };

export const readListPart = (params: URLSearchParams): ListPart => ({
  kind: toKind(params.get("kind")),
  page: Number.parseInt(params.get("page") ?? "1", 10) || 1,
});

export const toListQuery = ({ kind, page }: ListPart): string =>
  toQueryString({ kind, page: page > 1 ? `${page}` : null });

/** The query parameter that says what has just happened, as a key of `notices`. */
export const noticeParam = "notice";

export const notices = {
  undone: "Undone. Everything is as it was before.",
  partly: "Undone, except for what somebody has changed since.",
  late: `A decision can be undone for ${undoMinutes} minutes. That time is over.`,
  restored: "Restored. It waits for a decision again.",
} as const;

export const toKind = (text: string | null): SubmissionKind | null =>
  submissionKinds.find((kind) => kind === text) ?? null;

/** The value of a checkbox: "message:3f9a1c2b-…". */
export const toItemValue = ({ kind, id }: SubmissionRef): string => `${kind}:${id}`;

export function parseItemValue(value: string): SubmissionRef | null {
  const separator = value.indexOf(":");
  const kind = toKind(value.slice(0, separator));
  const ref = kind && { kind, id: value.slice(separator + 1) };
  return ref && isPossible(ref) ? ref : null;
}

/** Such as "2 stories and 1 message". */
export function countItems(items: { kind: SubmissionKind }[]): string {
  const parts = submissionKinds.flatMap((kind) => {
    const { length } = items.filter((item) => item.kind === kind);
    const label = kindLabels[kind][length === 1 ? "one" : "many"].toLowerCase();
    return length === 0 ? [] : [`${length.toLocaleString("en-US")} ${label}`];
  });
  return new Intl.ListFormat("en-US").format(parts);
}

/** What a check noticed: a few words for the list, and a sentence that explains them. */
export type Remark = {
  label: string;
  why: string;
  link?: string;
  /** Whether this remark says nothing bad about the item itself. */
  isNeutral?: boolean;
  /** Whether this is a common sign of spam. */
  isSuspicious?: boolean;
};

/** The fields of an image: whether readers see it, and its description. */
export const showField = (imageId: string) => `show-${imageId}` as const;
export const descriptionField = (imageId: string) => `alt-${imageId}` as const;
