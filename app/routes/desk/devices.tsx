import { redirect } from "react-router";
import { appContext } from "../../context.ts";
import { siteSettingsFile } from "../../features/brand/files.server.ts";
import { deskFile } from "../../features/desk/files.server.ts";
import { deskPath, devicesPath } from "../../features/desk/model.ts";
import { DevicesPage } from "../../features/desk/pages/devices-page.tsx";
import { deletedCookie, listDevices, signOut } from "../../features/desk/sign-in/devices.server.ts";
import { openDesk } from "../../features/desk/sign-in/open-desk.server.ts";
import { calendarDay, longDate, shortTimestamp } from "../../lib/dates.ts";
import { readField } from "../../lib/form.ts";
import type { Route } from "./+types/devices.ts";

export async function loader(args: Route.LoaderArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const { timeZone } = desk.site.read(siteSettingsFile);
  const editors = desk.site.read(deskFile)?.editors ?? [];
  const devices = await listDevices(desk);
  const today = calendarDay(desk.clock(), timeZone);
  // The time of the last request is stored only now and then.
  const describeDay = (at: Date) => {
    const day = calendarDay(at, timeZone);
    return day === today ? "today" : longDate(day);
  };
  return {
    editors: editors.map(({ name, email }) => ({
      name,
      email,
      devices: devices
        .filter(({ editor }) => editor === email)
        .map(({ id, name, createdAt, seenAt }) => ({
          id,
          name,
          signedIn: shortTimestamp(createdAt, timeZone),
          lastUsed: describeDay(seenAt),
          isThis: id === desk.deviceId,
        })),
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  const desk = await openDesk(args.context.get(appContext), args);
  const isThis = await signOut(desk, desk, readField(desk.readForm().form, "device"));
  throw isThis
    ? redirect(deskPath, { headers: { "Set-Cookie": deletedCookie } })
    : redirect(devicesPath);
}

export const meta = () => [{ title: "Editors and devices – The desk" }];

export default function DevicesRoute({ loaderData }: Route.ComponentProps) {
  return <DevicesPage {...loaderData} />;
}
