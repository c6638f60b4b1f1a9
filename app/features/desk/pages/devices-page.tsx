import { Form } from "react-router";
import { otherDevices } from "../model.ts";
import { Press } from "./parts.tsx";

type Device = { id: string; name: string; signedIn: string; lastUsed: string; isThis: boolean };

type Props = { editors: { name: string; email: string; devices: Device[] }[] };

export function DevicesPage({ editors }: Props) {
  return (
    <>
      <h1 className="desk-heading">Editors and devices</h1>
      <p className="desk-note">
        desk.yaml lists the editors. A device that is signed out needs a new link.
      </p>
      {editors.map(({ name, email, devices }) => (
        <section key={email} className="desk-section">
          <h2 className="desk-subheading">
            {name} <small>{email}</small>
          </h2>
          {devices.length === 0 && <p className="desk-note">Not signed in.</p>}
          <ul className="desk-list">
            {devices.map((device) => (
              <li key={device.id} className="desk-row">
                <p>
                  {device.name}
                  {device.isThis && <strong> · this device</strong>}
                  <small>
                    Signed in {device.signedIn}, last used {device.lastUsed}
                  </small>
                </p>
                <Form method="post">
                  <Press
                    name="device"
                    value={device.id}
                    aria-label={`Sign out ${device.name} of ${name}`}
                  >
                    Sign out
                  </Press>
                </Form>
              </li>
            ))}
          </ul>
          {devices.length > 1 && devices.some(({ isThis }) => isThis) && (
            <Form method="post" className="mt-3">
              <Press name="device" value={otherDevices}>
                Sign out all my other devices
              </Press>
            </Form>
          )}
        </section>
      ))}
    </>
  );
}
