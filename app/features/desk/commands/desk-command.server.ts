import { fail, refuseCommand } from "../../../lib/newsroom/command-error.ts";
import { shortenId } from "../../../lib/newsroom/printing.ts";
import { findByIdStart } from "../../../lib/newsroom/selection.ts";
import { type Command, type CommandContext, verb } from "../../../platform/command.ts";
import { printList, readCommandSite } from "../../brand/command-site.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { deskFile, type Editor } from "../files.server.ts";
import { logCommand, readLog } from "../log/log.server.ts";
import { linkLifetimeMinutes } from "../model.ts";
import { endDevices, listDevices } from "../sign-in/devices.server.ts";
import { createLink, endLinks } from "../sign-in/links.server.ts";

const defaultLogCount = 50;

async function readDesk(context: CommandContext) {
  const site = await readCommandSite(context, [deskFile]);
  const desk = site.read(deskFile);
  if (!desk) fail("✗ This city has no desk. To create one, list its editors in desk.yaml.");
  return { site, editors: desk.editors };
}

/**
 * Finds the editor by email address, by name, or by the beginning of one of these. A part in the
 * middle of an address does not count, because all addresses may have the same domain.
 */
function pickEditor(editors: Editor[], typed: string): Editor {
  const text = typed.trim().toLowerCase();
  const namesOf = ({ email, name }: Editor) => {
    const lowercase = name.toLowerCase();
    return [email, lowercase, ...lowercase.split(/\s+/)];
  };
  const exact = editors.filter((editor) => namesOf(editor).includes(text));
  const found =
    exact.length > 0
      ? exact
      : editors.filter((editor) => namesOf(editor).some((name) => name.startsWith(text)));
  const [editor] = found;
  if (editor && found.length === 1) return editor;
  const names = (editor ? found : editors)
    .map(({ name, email }) => `${name} <${email}>`)
    .join(", ");
  return refuseCommand(
    editor
      ? `Several editors match "${typed}": ${names}.`
      : `No editor in desk.yaml matches "${typed}". The editors are: ${names}.`,
  );
}

const linkVerb = verb({
  summary: "Print a link with which an editor can sign in, for example while email does not work.",
  arguments: { editor: { required: true, description: "the editor's name or email address" } },
  async run(context: CommandContext, { editor: typed }) {
    const { site, editors } = await readDesk(context);
    const editor = pickEditor(editors, typed);
    const db = await context.database();
    const { origin } = site.read(siteSettingsFile);
    const link = await createLink({ db, clock: context.clock }, origin, editor);
    context.result({ editor: editor.email, link });
    context.print(`For ${editor.name}, once, within ${linkLifetimeMinutes} minutes:`);
    context.print("");
    context.print(`  ${link}`);
  },
});

const devicesVerb = verb({
  summary: "List the browsers in which editors are signed in.",
  async run(context: CommandContext) {
    const { site } = await readDesk(context);
    const devices = await listDevices({ db: await context.database(), clock: context.clock, site });
    context.result(devices);
    await printList(
      context,
      devices,
      {
        id: ({ id }) => shortenId(id),
        editor: ({ editor }) => editor,
        browser: ({ name }) => name,
        "signed in": ({ createdAt }) => createdAt,
        "last used": ({ seenAt }) => seenAt,
      },
      "No editor is signed in.",
    );
  },
});

const signOutVerb = verb({
  summary: "Sign an editor out, in all browsers or in one.",
  arguments: {
    who: { required: true, description: 'an editor, or the id that "desk devices" shows' },
  },
  async run(context: CommandContext, { who }) {
    const { site, editors } = await readDesk(context);
    const db = await context.database();
    const devices = await listDevices({ db, clock: context.clock, site });
    const byId = findByIdStart(devices, who);
    if (byId.length > 1)
      refuseCommand(`Several devices have an id that starts with "${who}". Type more of it.`);
    const [device] = byId;
    const editor = device ? null : pickEditor(editors, who);
    const ended = device ? [device] : devices.filter((each) => each.editor === editor?.email);
    const count = await db.transaction(async (tx) => {
      await endLinks(tx, context.clock, device?.editor ?? editor?.email ?? "");
      for (const { name, editor: note } of ended)
        await logCommand(tx, context.clock, {
          action: "signed out",
          kind: "device",
          title: name,
          note,
        });
      return endDevices(
        tx,
        ended.map(({ id }) => id),
      );
    });
    context.result({ signedOut: count });
    const whom = device ? `${device.editor} (${device.name})` : editor?.name;
    context.print(count === 0 ? `${whom} was not signed in.` : `${whom} is signed out.`);
  },
});

const logVerb = verb({
  summary: "List what editors did at the desk and commands changed, newest first.",
  options: {
    count: {
      type: "integer",
      value: "number",
      min: 1,
      max: 5_000,
      description: `how many, ${defaultLogCount} by default`,
    },
  },
  async run(context: CommandContext, { count = defaultLogCount }) {
    const entries = await readLog(await context.database(), { count });
    context.result(entries);
    await printList(
      context,
      entries,
      {
        time: ({ at }) => at,
        editor: ({ editorName }) => editorName,
        did: ({ action }) => action,
        what: ({ kind, title }) => [kind, title].filter(Boolean).join(": ").slice(0, 60),
        note: ({ note }) => note.slice(0, 60),
      },
      "Nobody has done anything at the desk yet.",
    );
  },
});

export const deskCommand: Command = {
  name: "desk",
  group: "Operations",
  summary: "Let editors sign in at the desk, sign them out, and list what they did.",
  examples: [
    'desk link "Ana Reyes"',
    "desk devices",
    "desk sign-out ana@example.com",
    "desk sign-out 3f9a1c2b",
    "desk log --count 200",
  ],
  verbs: { link: linkVerb, devices: devicesVerb, "sign-out": signOutVerb, log: logVerb },
};
