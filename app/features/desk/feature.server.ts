import type { Feature } from "../../platform/feature.ts";
import { deskCommand } from "./command.server.ts";
import { deskFile } from "./files.server.ts";
import { deleteOldLog } from "./log/log.server.ts";
import { deleteOldDevices } from "./sign-in/devices.server.ts";
import {
  deleteOldLinks,
  linkTemplate,
  renderLinkMail,
  signInForm,
} from "./sign-in/links.server.ts";

export const desk: Feature = {
  name: "desk",
  files: [deskFile],
  limits: [signInForm.limit],
  commands: [deskCommand],
  retention: {
    "desk links": ({ db, clock }) => deleteOldLinks(db, clock),
    "desk devices": deleteOldDevices,
    "desk log": ({ db, clock }) => deleteOldLog(db, clock),
  },
  mails: [
    {
      isFor: (template) => template === linkTemplate,
      write: (services, _template, about) => renderLinkMail(services, about),
    },
  ],
};
