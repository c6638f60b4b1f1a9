import type { WeatherReport } from "../report.server.ts";

const width = 240;
const height = 80;
/** Space above the highest and below the lowest temperature, so that the line is never cut off. */
const margin = 6;
/** More labels do not fit next to each other on a narrow phone. */
const labelCount = 6;

/** The temperature as a line over the chance of rain as bars. Screen readers get a table. */
export function HourlyChart({ hours }: Pick<WeatherReport, "hours">) {
  const temperatures = hours.map(({ temperature }) => temperature);
  const [min, max] = [Math.min(...temperatures), Math.max(...temperatures)];
  const step = width / hours.length;
  const toX = (index: number) => round((index + 0.5) * step);
  const toY = (temperature: number) =>
    round(height - margin - ((temperature - min) / Math.max(max - min, 1)) * (height - 2 * margin));
  const labeled = hours.filter((_, index) => index % Math.ceil(hours.length / labelCount) === 0);
  return (
    <>
      <div aria-hidden="true">
        <ChartRow values={labeled.map(({ temperature }) => `${temperature}°`)} />
        {/* The SVG is stretched to the width of the page, so the labels are outside of it. */}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="weather-chart"
          aria-hidden="true"
        >
          {hours.map(({ iso, rain }, index) => (
            <rect
              key={iso}
              x={round(index * step)}
              y={round(height * (1 - (rain ?? 0) / 100))}
              width={round(step)}
              height={round((height * (rain ?? 0)) / 100)}
            />
          ))}
          <polyline
            points={temperatures.map((each, index) => `${toX(index)},${toY(each)}`).join(" ")}
          />
        </svg>
        <ChartRow values={labeled.map(({ shown }) => shown)} />
        <p className="mt-1 text-ink-soft text-sm">
          Line: temperature, {min}° to {max}°. Bars: chance of rain or snow, up to{" "}
          {Math.max(...hours.map(({ rain }) => rain ?? 0))}%.
        </p>
      </div>
      <div className="weather-hours">
        <table>
          <caption>The next {hours.length} hours</caption>
          <thead>
            <tr>
              {["Time", "Temperature", "Chance of rain or snow", "Forecast"].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ iso, shown, temperature, rain, text }) => (
              <tr key={iso}>
                <th scope="row">
                  <time dateTime={iso}>{shown}</time>
                </th>
                <td>{temperature}°</td>
                <td>{rain === null ? "Unknown" : `${rain}%`}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const ChartRow = ({ values }: { values: string[] }) => (
  <ol className="grid auto-cols-fr grid-flow-col font-semibold text-xs/text">
    {values.map((value, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the labels never change their order.
      <li key={index}>{value}</li>
    ))}
  </ol>
);

const round = (number: number) => Math.round(number * 10) / 10;
