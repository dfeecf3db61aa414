import type { ReactNode } from 'react';
import type { Profile } from '../../../read-profile.ts';
import { useTexts } from '../../../environment.ts';
import { fillElements } from '../../../texts/fill-elements.ts';
import { Icon } from '../../../ui/icon.tsx';
import { oddCharacters, revealed } from './odd-characters.ts';
import styles from './name-warnings.module.css';

export const NameWarnings = ({ profile }: { readonly profile: Profile }): ReactNode =>
  [...new Set([profile.display_name ?? '', profile.username])].map((name) => (
    <Warnings key={name} name={name} />
  ));

const Warnings = ({ name }: { readonly name: string }): ReactNode => {
  const { oddNames: texts } = useTexts('card');
  const { hidden, foreign } = oddCharacters(name);
  const warnings = [
    ...(hidden === 'nothing' ? [] : [texts[hidden]]),
    ...(foreign.length === 0 ? [] : [texts.mixed]),
  ];
  const shown = revealed(name, foreign).map(({ text, isCoded }, place) =>
    isCoded ? (
      <code key={place} className={styles.code}>
        {text}
      </code>
    ) : (
      text
    ),
  );
  return warnings.map((warning) => (
    <p key={warning} className={`small ${styles.warning}`}>
      <Icon name="warning" />
      <span>{fillElements(warning, { shown: <bdi>{shown}</bdi> })}</span>
    </p>
  ));
};
