import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { timeOfDay } from './figure-formats.ts';
import styles from './status.module.css';

type Hours = Status['last_24_hours'];

const HOUR_MS = 3_600_000;
/** An hour in units of the drawing, which is as high as `HEIGHT`. */
const SLOT = 10;
const HEIGHT = 100;
const GAP = 1.5;
/** So that a single refused lookup can be seen among thousands. */
const LEAST = 4;

/** With fewer, a bar would be as wide as the page. */
const FEWEST_SLOTS = 8;

const placesOf = (hours: Hours) => {
  const [firstMs = 0, lastMs = 0] = [hours[0], hours.at(-1)].map((hour) => Date.parse(hour?.from ?? ''));
  const slots = Math.max(FEWEST_SLOTS, Math.round((lastMs - firstMs) / HOUR_MS) + 1);
  const beginMs = lastMs - (slots - 1) * HOUR_MS;
  return {
    width: slots * SLOT,
    begin: new Date(beginMs).toISOString(),
    placeOf: (from: string): number => Math.round((Date.parse(from) - beginMs) / HOUR_MS) * SLOT,
  };
};

const heightOf = (number: number, most: number): number =>
  number === 0 ? 0 : Math.max(LEAST, (number / most) * HEIGHT);

export const DayChart = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { lastDay: texts, ...names } = useTexts('status');
  const { count } = useFormats();
  const sum = (name: 'served' | 'refused'): string =>
    count(hours.reduce((total, hour) => total + hour[name], 0));
  const [served, refused] = [sum('served'), sum('refused')];
  const tokens = hours.map(({ tokens_healthy: healthy }) => healthy);
  const [least, most] = [count(Math.min(...tokens)), count(Math.max(...tokens))];
  const summary = fill(texts.summary, { served, refused, least, most });
  return (
    <figure className={styles.day}>
      <h2>{texts.title}</h2>
      <ul className={`row small ${styles.legend}`}>
        <Key sign={<rect x="3" y="3" width="18" height="18" className={styles.served} />}>{names.served}</Key>
        <Key sign={<rect x="3" y="3" width="18" height="18" className={styles.refused} />}>
          {names.refused}
        </Key>
        <Key sign={<path d="M1 16h10V8h12" className={styles.tokens} />}>{texts.tokens}</Key>
      </ul>
      <svg className={`small ${styles.chart}`} role="img" aria-label={summary}>
        <LookupBars hours={hours} />
        <TokenLine hours={hours} />
      </svg>
      <div className={`small ${styles.axis}`} aria-hidden="true">
        <span>{timeOfDay(placesOf(hours).begin)} UTC</span>
        <span>{texts.end}</span>
      </div>
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
  readonly width: number;
  /** The value of a shape as high as the panel. */
  readonly most: number;
  readonly children: ReactNode;
};

/** All in em: it grows with the text. */
const Panel = ({ top, height, width, most, children }: PanelProps): ReactNode => (
  <>
    <text y={`${top + 0.9}em`}>{useFormats().count(most)}</text>
    <svg
      y={`${top + 1.6}em`}
      width="100%"
      height={`${height}em`}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      overflow="visible"
    >
      <path d={`M0 ${HEIGHT}h${width}`} className={styles.ground} />
      {children}
    </svg>
  </>
);

const LookupBars = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { width, placeOf } = placesOf(hours);
  const most = Math.max(...hours.map(({ served, refused }) => served + refused));
  return (
    <Panel top={0} height={7} width={width} most={most}>
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
  const { width, placeOf } = placesOf(hours);
  const most = Math.max(...hours.map(({ tokens_healthy: healthy }) => healthy));
  let end = -1;
  const line = hours.map(({ from, tokens_healthy: healthy }) => {
    const place = placeOf(from);
    const command = place === end ? 'L' : 'M';
    end = place + SLOT;
    return `${command}${place} ${HEIGHT - heightOf(healthy, most)}h${SLOT}`;
  });
  return (
    <Panel top={9.6} height={2.4} width={width} most={most}>
      <path d={line.join('')} className={styles.tokens} />
    </Panel>
  );
};

const DayTable = ({ hours }: { readonly hours: Hours }): ReactNode => {
  const { lastDay: texts, ...names } = useTexts('status');
  const { count } = useFormats();
  return (
    <details className="small">
      <summary>{texts.table}</summary>
      <table>
        <thead>
          <tr>
            {[texts.hour, names.served, names.refused, texts.tokens].map((column) => (
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
