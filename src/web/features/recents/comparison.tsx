import { useId, type ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { comparison as texts } from '../../texts/recents.ts';
import { ageInWords, dayInWords } from '#shared/age.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { RecentAvatar } from './recent-card.tsx';
import styles from './recents.module.css';
import type { RecentLookup } from './recents-store.ts';

export type Pair = readonly [RecentLookup, RecentLookup];

/** What is kept was read from an id that is one. */
const createdMs = ({ id }: RecentLookup): number => decodeSnowflake(id as Snowflake).createdMs;

export const ageDifference = ([one, other]: Pair): string => {
  const [first, second] = createdMs(one) <= createdMs(other) ? [one, other] : [other, one];
  const [from, to] = [createdMs(first), createdMs(second)];
  return from === to ? texts.sameMoment : texts.older(first.name, ageInWords(from, to));
};

const Color = ({ value }: { readonly value: string }): ReactNode => (
  <>
    <span className={styles.swatch} style={{ backgroundColor: value }} /> {value}
  </>
);

const FACTS: readonly (readonly [name: string, of: (lookup: RecentLookup) => ReactNode])[] = [
  [texts.created, (lookup) => dayInWords(createdMs(lookup))],
  [texts.username, ({ handle }) => <bdi>{handle}</bdi>],
  [texts.id, ({ id }) => <span className={styles.id}>{id}</span>],
  [texts.kind, ({ bot }) => (bot ? texts.app : texts.user)],
  [texts.badges, ({ badges }) => badges.join(', ') || texts.none],
  [texts.tag, ({ tag }) => (tag === null ? texts.none : <bdi>{tag}</bdi>)],
  [texts.color, ({ color }) => (color === null ? texts.none : <Color value={color} />)],
];

/** Two profiles side by side, from what is kept of them: nothing is asked. */
export const Comparison = ({ pair }: { readonly pair: Pair }): ReactNode => {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId}>{texts.title}</h3>
      <table className={styles.comparison}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{texts.fact}</VisuallyHidden>
            </th>
            {pair.map((lookup) => (
              <th key={lookup.id} scope="col">
                <RecentAvatar lookup={lookup} />
                <bdi>{lookup.name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([name, of]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {pair.map((lookup) => (
                <td key={lookup.id}>{of(lookup)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
