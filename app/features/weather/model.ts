export type ShownTime = { iso: string; shown: string };

/** What /weather shows. Temperatures are whole degrees Fahrenheit. What is unknown is null. */
export type WeatherReport = {
  now: CurrentWeather | null;
  /** The rest of today, and tomorrow: "This Afternoon", "Tonight". */
  today: ForecastPeriod[];
  tomorrow: ForecastPeriod[];
  days: ForecastDay[];
  hours: ForecastHour[];
  sun: { name: string; rise: ShownTime; set: ShownTime }[];
  air: (AirReport & { time: ShownTime }) | null;
};

export type CurrentWeather = {
  temperature: number;
  text: string;
  /** Such as "Wind: NW 9 mph". */
  facts: { label: string; value: string }[];
  station: string;
  time: ShownTime;
};

export type ForecastPeriod = {
  name: string;
  temperature: number;
  isDaytime: boolean;
  details: string;
};

export type ForecastDay = {
  day: string;
  name: string;
  high: number | null;
  low: number | null;
  text: string;
  rain: number | null;
};

export type ForecastHour = {
  iso: string;
  shown: string;
  temperature: number;
  rain: number | null;
  text: string;
};

export type AirReport = {
  index: number;
  category: string;
  pollutant: string;
  area: string;
  source: string;
};
