import sharp from "sharp";

/**
 * Creates a photo as a camera would: a JPEG with a scene, fine grain, and the place where it was
 * taken. By default it has 24 megapixels and about 5 MB, which takes seconds to create and to read.
 */
export async function createPhoto([width, height] = [6_000, 4_000]): Promise<Buffer> {
  const scene = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#26466d"/><stop offset="1" stop-color="#f3b562"/></linearGradient>
    <rect width="60" height="40" fill="url(#sky)"/><rect y="27" width="60" height="13" fill="#1d3557"/>
    ${Array.from({ length: 12 }, (_, index) => `<rect x="${index * 5}" y="${14 + (index % 3) * 2}" width="4.6" height="14" fill="#8c3b2e"/>`).join("")}
  </svg>`);
  const grain = await sharp({
    create: {
      width: width / 4,
      height: height / 4,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 22 },
    },
  })
    .resize(width, height, { kernel: "cubic" })
    .jpeg()
    .toBuffer();
  return sharp(scene, { density: 72 })
    .resize(width, height)
    .composite([{ input: grain, blend: "soft-light" }])
    .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "39/1 17/1 0/1" } })
    .jpeg({ quality: 92 })
    .toBuffer();
}
