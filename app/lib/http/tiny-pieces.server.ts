const minAveragePieceBytes = 64;

/**
 * Receiving a piece of a body costs the same regardless of its size: a megabyte sent byte by byte
 * kept the server's thread busy for seconds. The returned function counts a piece, and tells whether
 * the pieces are too small on average, which the first `uncheckedPieces` may be. Browsers, servers
 * and proxies send pieces of several kilobytes.
 */
export function createPieceCheck(uncheckedPieces: number): (bytes: number) => boolean {
  let [pieces, totalBytes] = [0, 0];
  return (bytes) => {
    pieces += 1;
    totalBytes += bytes;
    return pieces > uncheckedPieces && totalBytes < pieces * minAveragePieceBytes;
  };
}
