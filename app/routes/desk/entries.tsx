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
  didParam,
  entriesPath,
  entryHeadings,
  entryParam,
  newEntry,
  toEntryList,
} from "../../features/desk/entries/model.ts";
import { sendDeskForm } from "../../features/desk/pages/send-desk-form.ts";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { missingPage } from "../../features/failures/missing.server.ts";
import type { Route } from "./+types/entries.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const list = toEntryList(args.params.list);
  if (!list) throw await missingPage(desk);
  const query = args.url.searchParams;
  const id = query.get(entryParam);
  return id === null
    ? { form: null, entries: await showEntries(desk, list, readChanged(query)) }
    : { form: await showEntryForm(desk, list, id), entries: null };
}

const readChanged = (query: URLSearchParams) => ({
  changed: query.get(changedParam),
  did: query.get(didParam) ?? "",
});

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const list = toEntryList(args.params.list);
  if (!list) throw await missingPage(desk);
  const id = args.url.searchParams.get(entryParam) ?? newEntry;
  const { form } = desk.readForm();
  const result = await changeEntry(desk, list, { id, form });
  if (result.kind === "refused") return data(result, { status: result.status });
  const done = new URLSearchParams({ [changedParam]: result.id, [didParam]: result.did });
  throw redirect(`${entriesPath(list)}?${done}`);
}

export const clientAction = (args: Route.ClientActionArgs) => sendDeskForm(args);

export const meta = ({ params }: Route.MetaArgs) => {
  const list = toEntryList(params.list);
  return list ? [{ title: `${entryHeadings[list]} – The desk` }] : [];
};

export default function EntriesRoute({ loaderData, actionData }: Route.ComponentProps) {
  const { form, entries } = loaderData;
  return form ? (
    <EntryForm key={form.id} {...form} refusal={actionData} />
  ) : (
    <EntriesPage {...entries} refusal={actionData} />
  );
}
