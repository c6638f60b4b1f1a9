/** Waits for work at most this long, and then rejects with the message. The work itself goes on. */
export async function withTimeout<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), ms);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
