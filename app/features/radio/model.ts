/** The stream's one port, part of its address since the station's first days. */
export const streamPort = 8076;
export const streamPath = "/api/stream";
export const streamAddress = `${streamPath}?port=${streamPort}`;
export const titlePath = "/api/now-playing";
