const minAveragePieceBytes = 64;

/**
 * Returns a function that counts a piece of a body, and tells whether the pieces are too small on
 * average, which the first `uncheckedPieces` may be. Receiving a piece costs the same regardless of
 * its size: a megabyte sent byte by byte kept the server's thread busy for seconds. Browsers,
 * servers and proxies send pieces of several kilobytes.
 */
export function createPieceCheck(uncheckedPieces: number): (bytes: number) => boolean {
  let [pieces, totalBytes] = [0, 0];
  return (bytes) => {
    pieces += 1;
    totalBytes += bytes;
    return pieces > uncheckedPieces && totalBytes < pieces * minAveragePieceBytes;
  };
}
