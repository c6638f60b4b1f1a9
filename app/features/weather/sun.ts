const dayMs = 24 * 60 * 60_000;
const radians = Math.PI / 180;

/** How low the Sun's center is when its upper edge appears, because the air bends its light. */
const horizonDegrees = -0.833;
/** Noon of January 1, 2000 in UTC: day zero of the formulas. */
const firstNoon = Date.UTC(2000, 0, 1, 12);

type Place = { latitude: number; longitude: number };

/**
 * Computes sunrise and sunset to about a minute, with the formulas of the Astronomical Almanac for
 * the position of the Sun. Null if the Sun does not rise or set on that day.
 */
export function computeSunTimes(day: string, { latitude, longitude }: Place) {
  const days = Math.round((Date.parse(`${day}T12:00:00Z`) - firstNoon) / dayMs);
  const meanNoon = days - longitude / 360;
  const { anomaly, eclipticLongitude } = locateSun(meanNoon);
  const noon = meanNoon + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * eclipticLongitude);
  /** Half a day's length in days, from the height of the Sun's path at that time. */
  const halfDay = (time: number) => {
    const declinationSine = sin(locateSun(time).eclipticLongitude) * sin(23.4397);
    const cosine =
      (sin(horizonDegrees) - sin(latitude) * declinationSine) /
      (Math.cos(latitude * radians) * Math.sqrt(1 - declinationSine ** 2));
    return Math.acos(cosine) / radians / 360;
  };
  const estimate = halfDay(noon);
  const rise = noon - halfDay(noon - estimate);
  const set = noon + halfDay(noon + estimate);
  // The arc cosine does not exist if the Sun stays above or below the horizon.
  if (Number.isNaN(rise) || Number.isNaN(set)) return null;
  return { rise: new Date(firstNoon + rise * dayMs), set: new Date(firstNoon + set * dayMs) };
}

/** Returns where the Sun is at a time, in degrees. */
function locateSun(time: number) {
  const anomaly = 357.5291 + 0.98560028 * time;
  const center = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly);
  return { anomaly, eclipticLongitude: anomaly + center + 180 + 102.9372 };
}

const sin = (degrees: number) => Math.sin(degrees * radians);
