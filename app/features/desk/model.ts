import { type FilledFields, type Refusal, readTypedValues } from "../forms/model.ts";

/** The sign-in page. All other pages of the desk are below it. */
export const deskPath = "/desk";
/** Whether a path belongs to the desk, as a page, as its data or as a file. */
export const isDeskPath = (path: string): boolean => /^\/desk(?:[./]|$)/i.test(path);
export const enterPath = "/desk/enter";
export const openPath = "/desk/open";
export const waitingPath = "/desk/waiting";
/** How the desk names what editors work with. */
export const kindLabels = {
  story: { one: "Story", many: "Stories" },
  post: { one: "Post", many: "Posts" },
  event: { one: "Event", many: "Events" },
  message: { one: "Message", many: "Messages" },
};

export const deskAlertsPath = "/desk/alerts";
/** The name of the text of an alert's form on the device. A new alert has no id. */
export const alertFormPath = (id: string) => `${deskAlertsPath}/${id}`;
export const logPath = "/desk/log";
export const devicesPath = "/desk/devices";

/** What the form of the devices names instead of an id: this device, or the editor's others. */
export const thisDevice = "this";
export const otherDevices = "others";

/** The query parameter with the page of the desk that opens after signing in. */
export const targetParam = "to";
export const tokenParam = "token";

/** The field of a form with the name under which what is typed into it is stored on the device. */
export const unsentField = "unsent";
/** The field of a form with a hash of what the form was filled with. */
export const seenField = "seen";

/** Refuses a form. The page is shown again, with everything that was typed. */
export const refuseForm = (
  summary: string,
  form: FormData,
  errors: Refusal["errors"] = {},
): Refusal => ({ kind: "refused", status: 422, summary, errors, typed: readTypedValues(form) });

/** What the fields of a form contain: what the editor typed before, or these values. */
export const fillFields = (
  before: FilledFields | undefined,
  values: FilledFields["typed"],
): FilledFields => before ?? { errors: {}, typed: values };

export const linkLifetimeMinutes = 15;
export const deviceLifetimeDays = 30;
export const logRetentionDays = 365;
/** An email is retried for up to four days. */
export const mailRetentionDays = 7;

/** Whether a path leads to a page for signing in, in any spelling that the server accepts. */
const isSignInPath = (path: string): boolean =>
  /^\/desk\/+(?:enter|open)(?:[./]|$)/i.test(
    path.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    ),
  );

const ownOrigin = "https://own.invalid";

/** Returns a path of the desk with its query, or the first page for any other text. */
export function toDeskTarget(typed: string): string {
  const url = URL.parse(typed, ownOrigin);
  const isPage =
    url?.origin === ownOrigin &&
    url.pathname.startsWith(`${deskPath}/`) &&
    !isSignInPath(url.pathname);
  return isPage && typed.length <= 500 ? url.pathname + url.search : waitingPath;
}

/** The path of a page of the desk that opens `target` afterwards. */
export const withTarget = (path: string, target: string): string =>
  toDeskTarget(target) === waitingPath
    ? path
    : `${path}?${new URLSearchParams({ [targetParam]: target })}`;
