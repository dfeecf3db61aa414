import type { ReactNode } from 'react';
import { fill, isolate } from '#shared/fill.ts';
import type { Profile } from '../../../read-profile.ts';
import { useTexts } from '../../../environment.ts';
import { useFormats } from '../../../use-formats.ts';
import { fillElements } from '../../../texts/fill-elements.ts';
import type { Texts } from '../../../texts/translation.ts';
import { Icon } from '../../../ui/icon.tsx';
import { oddCharacters, revealed } from './odd-characters.ts';
import styles from './name-warnings.module.css';

type OddNameText = Texts['card']['oddNames'][keyof Texts['card']['oddNames']];

export const NameWarnings = ({ profile }: { readonly profile: Profile }): ReactNode =>
  [...new Set([profile.display_name ?? '', profile.username])].map((name) => (
    <Warnings key={name} name={name} />
  ));

const Warnings = ({ name }: { readonly name: string }): ReactNode => {
  const { hidden, mixed } = oddCharacters(name);
  const { oddNames: texts, alphabets, withNote } = useTexts('card');
  const { list } = useFormats();
  return (
    <>
      {hidden !== 'nothing' && <Warning says={texts[hidden]} shown={<Revealed name={name} />} />}
      {mixed.length > 0 && (
        <Warning
          says={texts.mixed}
          shown={list(
            mixed.map(({ alphabet, letters }) =>
              fill(withNote, { text: isolate(letters.join(' ')), note: alphabets[alphabet] }),
            ),
          )}
        />
      )}
    </>
  );
};

const Revealed = ({ name }: { readonly name: string }): ReactNode =>
  revealed(name).map(({ text, code }, place) =>
    code ? (
      <code key={place} className={styles.code}>
        {text}
      </code>
    ) : (
      text
    ),
  );

type WarningProps = { readonly says: OddNameText; readonly shown: ReactNode };

const Warning = ({ says, shown }: WarningProps): ReactNode => (
  <p className={`small ${styles.warning}`}>
    <Icon name="warning" />
    <span>{fillElements(says, { shown: <bdi>{shown}</bdi> })}</span>
  </p>
);
