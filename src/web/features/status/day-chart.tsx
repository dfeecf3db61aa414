import type { ReactNode } from 'react';
import type { Status } from '#shared/contract/status.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import styles from './status.module.css';

/** In percent, so that a single refused lookup can be seen among thousands. */
const LEAST = 2;

type FigureProps = { readonly number: number; readonly most: number };

/** As a drawing: the content security policy allows no style of an element. */
const Figure = ({ number, most }: FigureProps): ReactNode => (
  <td>
    {useFormats().count(number)}
    <svg className={styles.bar} aria-hidden="true">
      {number > 0 && <rect width={`${Math.max(LEAST, (number / most) * 100).toFixed(1)}%`} height="100%" />}
    </svg>
  </td>
);

/** A table whose figures are drawn as bars too: lookups on one scale, tokens on another. */
export const DayChart = ({ hours }: { readonly hours: Status['last_24_hours'] }): ReactNode => {
  const { lastDay: texts, ...names } = useTexts('status');
  const mostLookups = Math.max(...hours.flatMap(({ served, refused }) => [served, refused]));
  const mostTokens = Math.max(...hours.map(({ tokens_healthy: healthy }) => healthy));
  return (
    <figure className={styles.day}>
      <h2>{texts.title}</h2>
      <table className="small">
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
                <time dateTime={from}>{from.slice(11, 16)}</time>
              </th>
              <Figure number={served} most={mostLookups} />
              <Figure number={refused} most={mostLookups} />
              <Figure number={healthy} most={mostTokens} />
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};
