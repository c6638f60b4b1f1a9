/** Whether an error from the operating system or a library has this code, such as ENOENT. */
export const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
