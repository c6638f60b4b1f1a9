/**
 * Ends a command of the `newsroom` program with a message for the person who typed it. The exit
 * code is 1 for a failure, and 2 if the command was not understood.
 */
export class CommandError extends Error {
  readonly exit: 1 | 2;

  constructor(message: string, exit: 1 | 2) {
    super(message);
    this.exit = exit;
  }
}

export function fail(message: string): never {
  throw new CommandError(message, 1);
}

/** Ends a command that was not understood, or must not run as it was typed. */
export function refuseCommand(message: string): never {
  throw new CommandError(message, 2);
}
