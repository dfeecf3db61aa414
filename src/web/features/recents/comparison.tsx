import { useId, type ReactNode } from 'react';
import { decodeSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { fill } from '#shared/fill.ts';
import { useFormats, useTexts } from '../../environment.ts';
import { formatsOf } from '../../texts/formats.ts';
import type { TextStore } from '../../texts/text-store.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { RecentAvatar } from './recent-card.tsx';
import styles from './recents.module.css';
import type { RecentLookup } from './recents-store.ts';

export type Pair = readonly [RecentLookup, RecentLookup];

/** Only well-formed ids are kept. */
const createdMs = ({ id }: RecentLookup): number => decodeSnowflake(id as Snowflake).createdMs;

export const ageDifference = ([one, other]: Pair, { section, language }: TextStore): string => {
  const { comparison: texts } = section('recents');
  const [first, second] = createdMs(one) <= createdMs(other) ? [one, other] : [other, one];
  const [from, to] = [createdMs(first), createdMs(second)];
  if (from === to) return texts.sameMoment;
  const age = formatsOf(language).span([from, to], section('ui'));
  return fill(texts.older, { name: first.name, age });
};

const Color = ({ value }: { readonly value: string }): ReactNode => (
  <>
    <span className={styles.swatch} style={{ backgroundColor: value }} /> <bdi dir="ltr">{value}</bdi>
  </>
);

type FactRow = readonly [name: string, of: (lookup: RecentLookup) => ReactNode];

const useFacts = (): readonly FactRow[] => {
  const { comparison: texts } = useTexts('recents');
  const { created, id: idName } = useTexts('card');
  const { badges: badgesName, kinds } = useTexts('export');
  const flags: Partial<Record<string, string>> = useTexts('flags');
  const { day } = useFormats();
  return [
    [created, (lookup) => day(createdMs(lookup))],
    [texts.username, ({ handle }) => <bdi>{handle}</bdi>],
    [idName, ({ id }) => <bdi className={styles.id}>{id}</bdi>],
    [texts.kind, ({ bot }) => (bot ? kinds.app : kinds.user)],
    // Those kept by an earlier version are names already.
    [badgesName, ({ badges }) => badges.map((badge) => flags[badge] ?? badge).join(', ') || texts.none],
    [texts.tag, ({ tag }) => (tag === null ? texts.none : <bdi>{tag}</bdi>)],
    [texts.color, ({ color }) => (color === null ? texts.none : <Color value={color} />)],
  ];
};

/** Two profiles side by side, from what is stored about them: the server is not asked. */
export const Comparison = ({ pair }: { readonly pair: Pair }): ReactNode => {
  const titleId = useId();
  const { comparison: texts } = useTexts('recents');
  const facts = useFacts();
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
          {facts.map(([name, of]) => (
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
