import type { ReactNode } from 'react';
import type { Profile } from '../../../read-profile.ts';
import { useFormats, useTexts } from '../../../environment.ts';
import { Icon } from '../../../ui/icon.tsx';
import { oddCharacters, revealed } from './odd-characters.ts';
import styles from './name-warnings.module.css';

/** Warns about names that look like another one, and shows the characters that make them so. */
export const NameWarnings = ({ profile }: { readonly profile: Profile }): ReactNode =>
  [...new Set([profile.display_name ?? '', profile.username])].map((name) => (
    <Warnings key={name} name={name} />
  ));

const Warnings = ({ name }: { readonly name: string }): ReactNode => {
  const { hidden, mixed } = oddCharacters(name);
  const { oddNames: texts } = useTexts('card');
  const { script } = useFormats();
  return (
    <>
      {hidden !== 'nothing' && <Warning says={texts[hidden]} shown={revealed(name)} />}
      {mixed.length > 0 && (
        <Warning
          says={texts.mixed}
          shown={mixed
            .map(({ alphabet, letters }) => `${letters.join(' ')} (${script(alphabet)})`)
            .join(', ')}
        />
      )}
    </>
  );
};

const Warning = ({ says, shown }: { readonly says: string; readonly shown: string }): ReactNode => (
  <p className={styles.warning}>
    <Icon name="warning" />
    <span>
      {says} <bdi>{shown}</bdi>
    </span>
  </p>
);
