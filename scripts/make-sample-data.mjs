// Makes data/sample/: the Parquet files of the schema `demo` and their manifest, sample.json. The
// source is the npm package vega-datasets, version 3.2.1 (data/README.md has the origin of its
// files). To repeat it:
//
//   npm pack vega-datasets@3.2.1 && tar xzf vega-datasets-3.2.1.tgz
//   npm exec -- node scripts/make-sample-data.mjs package
//
// The same package and engine give the same bytes: one thread, each table in a total order.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { toLogicalType } from '../src/duckdb/connection/to-logical-type.ts';

const SOURCE_VERSION = '3.2.1';
const target = fileURLToPath(new URL('../data/sample', import.meta.url));

/** The tables. `source` is a file of the package, which `toSelect` reads into rows with types. */
const TABLES = [
  {
    name: 'flights',
    description:
      'One in twenty of 3 million domestic flights in the United States from January to June 2001, by local time of departure. Cancelled flights are not in it.',
    source: 'flights-3m.parquet',
    // The source ends with the first minute of July, which would be a month of six flights. Rows
    // that are equal in every column have no order between them, but need none: either gives the
    // same row.
    toSelect: (file) => `
      SELECT
        date AS departed_at,
        origin,
        destination,
        distance::INTEGER AS distance_miles,
        delay::INTEGER AS arrival_delay_minutes
      FROM ${file}
      WHERE date < TIMESTAMP '2001-07-01'
      QUALIFY row_number() OVER (ORDER BY date, origin, destination, distance, delay) % 20 = 0
      ORDER BY ALL`,
  },
  {
    name: 'airports',
    description: 'Airports of the United States and its territories, and a few elsewhere, by IATA code.',
    source: 'airports.csv',
    toSelect: (file) => `
      SELECT iata, name, nullif(city, 'NA') AS city, nullif(state, 'NA') AS state, country, latitude, longitude
      FROM read_csv(${file}, header = true, types = {'latitude': 'DOUBLE', 'longitude': 'DOUBLE'})
      ORDER BY iata`,
  },
  {
    name: 'weather',
    description: 'Weather of each day from 2012 to 2015 in Seattle and in New York, from the stations of NOAA.',
    source: 'weather.csv',
    toSelect: (file) => `
      SELECT
        location,
        date::DATE AS observed_on,
        precipitation::DECIMAL(5, 1) AS precipitation_mm,
        temp_max::DECIMAL(4, 1) AS temperature_max_celsius,
        temp_min::DECIMAL(4, 1) AS temperature_min_celsius,
        wind::DECIMAL(4, 1) AS wind_speed,
        weather
      FROM read_csv(${file}, header = true, all_varchar = true)
      ORDER BY location, observed_on`,
  },
  {
    name: 'earthquakes',
    description:
      'Earthquakes, quarry blasts and explosions of all magnitudes that the USGS recorded from 31 January to 7 February 2018.',
    source: 'earthquakes.json',
    toSelect: (file) => `
      WITH features AS (SELECT unnest(features) AS feature FROM read_json(${file}, maximum_object_size = 33554432))
      SELECT
        feature.id AS id,
        make_timestamptz(feature.properties.time * 1000) AS occurred_at,
        feature.properties.type AS kind,
        feature.properties.mag::DECIMAL(4, 2) AS magnitude,
        feature.properties.magType AS magnitude_type,
        feature.properties.place AS place,
        feature.geometry.coordinates[2] AS latitude,
        feature.geometry.coordinates[1] AS longitude,
        feature.geometry.coordinates[3] AS depth_km,
        feature.properties.felt::INTEGER AS felt_reports,
        feature.properties.tsunami = 1 AS is_tsunami_flagged,
        feature.properties.status = 'reviewed' AS is_reviewed
      FROM features
      ORDER BY occurred_at, id`,
  },
];

/** The saved queries. Any account may run them, so each table is named with its schema. */
const QUERIES = [
  {
    name: 'Late arrivals from an airport',
    description: 'Flights that left one airport and arrived late, the worst or the least first.',
    sql: `
SELECT
  flights.departed_at,
  flights.destination,
  airports.name AS airport,
  airports.city,
  airports.state,
  flights.distance_miles,
  flights.arrival_delay_minutes
FROM demo.flights AS flights
JOIN demo.airports AS airports ON airports.iata = flights.destination
WHERE flights.origin = '{{origin}}'
  AND flights.departed_at >= TIMESTAMP '{{since}}'
  AND flights.arrival_delay_minutes >= {{minimum_delay}}
ORDER BY flights.arrival_delay_minutes {{direction}}, flights.departed_at, flights.destination`,
    parameters: [
      { key: 'origin', type: 'text', value: 'ORD', description: 'IATA code of the airport of departure' },
      { key: 'since', type: 'datetime', value: '2001-03-01', description: 'Earliest local time of departure' },
      { key: 'minimum_delay', type: 'number', value: '60', description: 'Fewest minutes of delay at arrival' },
      {
        key: 'direction',
        type: 'enum',
        value: 'DESC',
        enumOptions: ['DESC', 'ASC'],
        description: 'DESC lists the longest delay first, ASC the shortest',
      },
    ],
  },
  {
    name: 'Miles flown from each airport by month',
    description:
      'Flights, miles and mean delay of each airport and month, with the miles since January (a HUGEINT) and the rank in the month.',
    sql: `
WITH months AS (
  SELECT
    origin,
    CAST(date_trunc('month', departed_at) AS DATE) AS month,
    count(*) AS flights,
    sum(distance_miles) AS miles,
    round(avg(arrival_delay_minutes), 1) AS mean_delay_minutes
  FROM demo.flights
  GROUP BY ALL
)
SELECT
  months.month,
  months.origin,
  airports.city,
  airports.state,
  months.flights,
  months.miles,
  months.mean_delay_minutes,
  sum(months.miles) OVER (PARTITION BY months.origin ORDER BY months.month) AS miles_so_far,
  rank() OVER (PARTITION BY months.month ORDER BY months.miles DESC) AS rank_in_month
FROM months
JOIN demo.airports AS airports ON airports.iata = months.origin
ORDER BY months.month, rank_in_month, months.origin`,
    parameters: [],
  },
  {
    name: 'All flights with the cities they join',
    description: 'About 150,000 rows in order of departure: a result to page, filter, sort and sample.',
    sql: `
SELECT
  flights.departed_at,
  flights.origin,
  origins.city AS origin_city,
  flights.destination,
  destinations.city AS destination_city,
  flights.distance_miles,
  flights.arrival_delay_minutes,
  flights.arrival_delay_minutes >= 15 AS is_late
FROM demo.flights AS flights
JOIN demo.airports AS origins ON origins.iata = flights.origin
JOIN demo.airports AS destinations ON destinations.iata = flights.destination
ORDER BY flights.departed_at, flights.origin, flights.destination`,
    parameters: [],
  },
];

const literal = (text) => `'${text.replaceAll("'", "''")}'`;

/** Writes one table's Parquet file and returns its entry in the manifest. */
async function writeTable(connection, dataFolder, { name, description, source, toSelect }) {
  const file = `${name}.parquet`;
  const select = toSelect(literal(join(dataFolder, source)));
  await connection.run(
    `COPY (${select}) TO ${literal(join(target, file))} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)`,
  );
  const rows = await connection.runAndReadAll(`FROM ${literal(join(target, file))}`);
  const columns = rows
    .columnNames()
    .map((column, index) => ({ name: column, type: toLogicalType(rows.columnType(index)) }));
  console.log(`${file}: ${rows.currentRowCount} rows, ${statSync(join(target, file)).size} bytes`);
  return { name, file, description, row_count: rows.currentRowCount, columns };
}

const [packageFolder] = process.argv.slice(2);
if (packageFolder === undefined) throw new Error('Usage: make-sample-data.mjs <unpacked folder of vega-datasets>');
const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
if (version !== SOURCE_VERSION) throw new Error(`vega-datasets ${SOURCE_VERSION} is needed, this is ${version}`);

const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
const tables = [];
for (const table of TABLES) tables.push(await writeTable(connection, join(packageFolder, 'data'), table));
const queries = QUERIES.map((query) => ({ ...query, sql: query.sql.trim() }));
writeFileSync(join(target, 'sample.json'), `${JSON.stringify({ tables, queries }, null, 2)}\n`);
