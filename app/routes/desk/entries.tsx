import { data, redirect } from "react-router";
import { appContext } from "../../context.ts";
import {
  changeEntry,
  showEntries,
  showEntryForm,
} from "../../features/desk/entries/entries.server.ts";
import { EntriesPage } from "../../features/desk/entries/entries-page.tsx";
import { EntryForm } from "../../features/desk/entries/entry-form.tsx";
import {
  changedParam,
  entriesPath,
  entryHeadings,
  entryParam,
  newEntry,
  toEntryList,
} from "../../features/desk/entries/model.ts";
import { requireEditor } from "../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../features/failures/missing.server.ts";
import type { RouteHandle } from "../../platform/route-handle.ts";
import type { Route } from "./+types/entries.ts";

export const handle = { cache: "none" } satisfies RouteHandle;

/** The meetings or the listings, or the form of one of them. */
export async function loader(args: Route.LoaderArgs) {
  const services = args.context.get(appContext);
  await requireEditor(services, args);
  const list = toEntryList(args.params.list);
  if (!list) throw await missingPage(services);
  const query = args.url.searchParams;
  const id = query.get(entryParam);
  return id === null
    ? { form: null, entries: await showEntries(services, list, query.get(changedParam)) }
    : { form: await showEntryForm(services, list, id), entries: null };
}

export async function action(args: Route.ActionArgs) {
  const services = args.context.get(appContext);
  const { editor } = await requireEditor(services, args);
  const list = toEntryList(args.params.list);
  if (!list) throw await missingPage(services);
  const id = args.url.searchParams.get(entryParam) ?? newEntry;
  const { form } = services.readForm();
  const result = await changeEntry(services, editor, list, { id, form });
  if (result.kind === "refused") return data(result, { status: result.status });
  throw redirect(`${entriesPath(list)}?${new URLSearchParams({ [changedParam]: result.id })}`);
}

export const meta = ({ params }: Route.MetaArgs) => {
  const list = toEntryList(params.list);
  return list ? [{ title: `${entryHeadings[list]} – The desk` }] : [];
};

export default function EntriesRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { form, entries } = loaderData;
  return form ? (
    <EntryForm key={form.id} {...form} refusal={actionData} />
  ) : (
    <EntriesPage {...entries} />
  );
}
