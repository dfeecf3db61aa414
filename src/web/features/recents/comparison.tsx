import { useEffect, useId, useRef, type ReactNode } from 'react';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { fill, isolate } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { formatsOf } from '../../texts/formats.ts';
import type { TextStore } from '../../texts/text-store.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { RecentAvatar } from './recent-card.tsx';
import styles from './recents.module.css';
import type { RecentLookup } from './recents-store.ts';

type Pair = readonly [RecentLookup, RecentLookup];

/** Only well-formed ids are kept. */
const createdMs = ({ id }: RecentLookup): number => snowflakeCreatedMs(id as Snowflake);

export const ageDifference = ([one, other]: Pair, { section, language }: TextStore): string => {
  const { comparison: texts } = section('recents');
  const [first, second] = createdMs(one) <= createdMs(other) ? [one, other] : [other, one];
  const [from, to] = [createdMs(first), createdMs(second)];
  if (from === to) return texts.sameMoment;
  const age = formatsOf(language).span([from, to], section('ui'));
  return fill(texts.older, { name: isolate(first.name), age });
};

const Color = ({ value }: { readonly value: string }): ReactNode => (
  <>
    <span className={styles.swatch} style={{ backgroundColor: value }} /> <bdi dir="ltr">{value}</bdi>
  </>
);

type FactRow = readonly [name: string, of: (lookup: RecentLookup) => ReactNode];

const useFacts = (): readonly FactRow[] => {
  const { comparison: texts } = useTexts('recents');
  const { created, id: idName, fields } = useTexts('card');
  const { badges: badgesName, noBadges, kinds } = useTexts('export');
  const flags: Partial<Record<string, string>> = useTexts('flags');
  const { day, list } = useFormats();
  return [
    [created, (lookup) => day(createdMs(lookup))],
    [fields.username, ({ handle }) => <bdi>{handle}</bdi>],
    [idName, ({ id }) => <bdi className={`small ${styles.id}`}>{id}</bdi>],
    [texts.kind, ({ bot }) => (bot ? kinds.app : kinds.user)],
    [badgesName, ({ badges }) => list(badges.map((badge) => flags[badge] ?? badge)) || noBadges],
    [texts.tag, ({ tag }) => (tag === null ? texts.noTag : <bdi>{tag}</bdi>)],
    [texts.color, ({ color }) => (color === null ? texts.noColor : <Color value={color} />)],
  ];
};

const Comparison = ({ pair }: { readonly pair: Pair }): ReactNode => {
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

type ChosenPairProps = { readonly recents: readonly RecentLookup[]; readonly chosen: readonly string[] };

export const ChosenPair = ({ recents, chosen }: ChosenPairProps): ReactNode => {
  const [one, other] = chosen.flatMap((id) => recents.find((recent) => recent.id === id) ?? []);
  const texts = useTexts('recents');
  const { texts: store } = useEnvironment();
  const place = useRef<HTMLDivElement>(null);
  const missing = one ? texts.chooseAnother : texts.choose;
  useEffect(() => {
    if (chosen.length === 2) place.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div ref={place} className={styles.chosen}>
      <p role="status">{one && other ? ageDifference([one, other], store) : missing}</p>
      {one && other && <Comparison pair={[one, other]} />}
    </div>
  );
};
