import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { fill } from '#shared/fill.ts';
import { useFormats, useTexts } from '../../environment.ts';
import { timeOfDay } from './figure-formats.ts';
import styles from './status.module.css';

type Hours = Status['last_24_hours'];

const HOUR_MS = 3_600_000;
const SLOTS = 24;
/** In units of the drawing, which is as many wide as there are slots times this, and as high as `HEIGHT`. */
const SLOT = 10;
const HEIGHT = 100;
const GAP = 1.5;
/** So that a single refused lookup can be seen among thousands. */
const LEAST = 4;

/** The left edge of each hour: the last one is at the right end. */
const placeIn = (hours: Hours): ((from: string) => number) => {
  const lastMs = Date.parse(hours.at(-1)?.from ?? '');
  return (from) => (SLOTS - 1 - Math.round((lastMs - Date.parse(from)) / HOUR_MS)) * SLOT;
};

const heightOf = (number: number, most: number): number =>
  number === 0 ? 0 : Math.max(LEAST, (number / most) * HEIGHT);

/** The last day in one picture, with its numbers as a table. Without colours it is told by full, hollow and a line. */
export const DayChart = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { lastDay: texts } = useTexts('status');
  const { count } = useFormats();
  const sum = (name: 'served' | 'refused'): string =>
    count(hours.reduce((total, hour) => total + hour[name], 0));
  const [first] = hours;
  const [served, refused] = [sum('served'), sum('refused')];
  const tokens = hours.map(({ tokens_healthy: healthy }) => healthy);
  const [least, most] = [count(Math.min(...tokens)), count(Math.max(...tokens))];
  const summary = fill(texts.summary, { served, refused, least, most });
  return (
    <figure className={styles.day}>
      <h2>{texts.title}</h2>
      <ul className={styles.legend}>
        <Key sign={<rect x="3" y="3" width="18" height="18" className={styles.served} />}>
          {fill(texts.served, { count: served })}
        </Key>
        <Key sign={<rect x="3" y="3" width="18" height="18" className={styles.refused} />}>
          {fill(texts.refused, { count: refused })}
        </Key>
        <Key sign={<path d="M1 16h10V8h12" className={styles.tokens} />}>{texts.tokens}</Key>
      </ul>
      <svg className={styles.chart} role="img" aria-label={summary}>
        <LookupBars hours={hours} />
        <TokenLine hours={hours} />
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{texts.begin}</span>
        <span>{texts.end}</span>
      </div>
      {first !== undefined && placeIn(hours)(first.from) > 0 && (
        <p>{fill(texts.since, { time: timeOfDay(first.from) })}</p>
      )}
      <DayTable hours={hours} />
    </figure>
  );
};

const Key = ({ sign, children }: { readonly sign: ReactNode; readonly children: string }): ReactNode => (
  <li>
    <svg viewBox="0 0 24 24" aria-hidden="true">
      {sign}
    </svg>
    {children}
  </li>
);

type PanelProps = {
  readonly top: number;
  readonly height: number;
  /** What a shape is worth that is as high as the panel. */
  readonly scale: string;
  readonly children: ReactNode;
};

/** Stretched to the width of the page, below its scale. All in em: it grows with the text. */
const Panel = ({ top, height, scale, children }: PanelProps): ReactNode => (
  <>
    <text y={`${top + 0.9}em`}>{scale}</text>
    <svg
      y={`${top + 1.6}em`}
      width="100%"
      height={`${height}em`}
      viewBox={`0 0 ${SLOTS * SLOT} ${HEIGHT}`}
      preserveAspectRatio="none"
      overflow="visible"
    >
      <path d={`M0 ${HEIGHT}h${SLOTS * SLOT}`} className={styles.ground} />
      {children}
    </svg>
  </>
);

const LookupBars = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { lookupScale } = useTexts('status').lastDay;
  const { count } = useFormats();
  const placeOf = placeIn(hours);
  const most = Math.max(...hours.map(({ served, refused }) => served + refused));
  return (
    <Panel top={0} height={7} scale={fill(lookupScale, { count: count(most) })}>
      {hours.map(({ from, served, refused }) => {
        const shape = { x: placeOf(from) + GAP, width: SLOT - 2 * GAP };
        const hollow = heightOf(refused, most);
        const full = Math.min(heightOf(served, most), HEIGHT - hollow);
        return (
          <g key={from}>
            {full > 0 && <rect {...shape} y={HEIGHT - full} height={full} className={styles.served} />}
            {hollow > 0 && (
              <rect {...shape} y={HEIGHT - full - hollow} height={hollow} className={styles.refused} />
            )}
          </g>
        );
      })}
    </Panel>
  );
};

const TokenLine = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { tokenScale } = useTexts('status').lastDay;
  const { count } = useFormats();
  const placeOf = placeIn(hours);
  const most = Math.max(...hours.map(({ tokens_healthy: healthy }) => healthy));
  let end = -1;
  const line = hours.map(({ from, tokens_healthy: healthy }) => {
    const place = placeOf(from);
    const command = place === end ? 'L' : 'M';
    end = place + SLOT;
    return `${command}${place} ${HEIGHT - heightOf(healthy, most)}h${SLOT}`;
  });
  return (
    <Panel top={9.6} height={2.4} scale={fill(tokenScale, { count: count(most) })}>
      <path d={line.join('')} className={styles.tokens} />
    </Panel>
  );
};

const DayTable = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { lastDay: texts } = useTexts('status');
  const { count } = useFormats();
  return (
    <details>
      <summary>{texts.table}</summary>
      <table>
        <thead>
          <tr>
            {texts.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.toReversed().map(({ from, served, refused, tokens_healthy: healthy }) => (
            <tr key={from}>
              <th scope="row">
                <time dateTime={from}>{timeOfDay(from)}</time>
              </th>
              <td>{count(served)}</td>
              <td>{count(refused)}</td>
              <td>{count(healthy)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};
