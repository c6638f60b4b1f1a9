/** The code of an error from the operating system or a library, such as ENOENT. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

export const hasErrorCode = (error: unknown, code: string): boolean => errorCode(error) === code;
