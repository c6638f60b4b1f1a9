import type { Services } from "../../../platform/services.ts";
import { writeLog } from "../log/log.server.ts";
import { endDevices, listDevices, type Session } from "./devices.server.ts";

/** The value of the form field for the device that sends it. */
const thisDevice = "this";

/**
 * Signs out one device: this one, or any other, of any editor, because a phone may be lost while
 * its owner cannot sign in. Returns whether it was this one.
 */
export async function signOut(
  services: Pick<Services, "db" | "clock" | "site">,
  { editor, deviceId }: Session,
  typedId: string,
): Promise<boolean> {
  const id = typedId === thisDevice ? deviceId : typedId;
  const device = (await listDevices(services)).find((each) => each.id === id);
  if (!device) return false;
  await services.db.transaction(async (tx) => {
    await endDevices(tx, [id]);
    const isOwn = device.editor === editor.email;
    await writeLog(tx, services.clock, editor, {
      action: "signed out",
      kind: "device",
      title: device.name,
      note: isOwn ? "" : device.editor,
    });
  });
  return id === deviceId;
}
