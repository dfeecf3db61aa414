import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { ageInWords } from '#shared/age.ts';
import { profileFacts as texts } from '../../texts/profile/card.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './profile-facts.module.css';

/** What people look a profile up for. An id tells both before the rest is known. */
export const ProfileFacts = ({ id, created_at }: Pick<Profile, 'id' | 'created_at'>): ReactNode => (
  <dl className={styles.facts}>
    <Fact name={texts.created}>
      <b>{texts.ago(ageInWords(Date.parse(created_at), Date.now()))}</b>
      <Time iso={created_at} />
      <Menu icon="copy" label={texts.copyDate}>
        {dateForms(created_at).map(([name, text]) => (
          <CopyButton key={name} text={text} label={texts.copyDateAs(name, text)} labelled />
        ))}
      </Menu>
    </Fact>
    <Fact name={texts.id}>
      <b>{id}</b>
      <CopyButton text={id} label={texts.copyId} />
    </Fact>
  </dl>
);

/** The first two are how a message on the platform shows a moment in everybody's own time. */
export const dateForms = (iso: string): readonly (readonly [name: string, text: string])[] => {
  const unix = Math.floor(Date.parse(iso) / 1_000);
  return [
    [texts.dateForms.date, `<t:${unix}:F>`],
    [texts.dateForms.age, `<t:${unix}:R>`],
    [texts.dateForms.unix, String(unix)],
    [texts.dateForms.utc, iso.replace(/\.\d+/, '')],
  ];
};
