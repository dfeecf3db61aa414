import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { ageInWords } from '#shared/age.ts';
import { profileFacts as texts } from '../../texts/profile/card.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './profile-facts.module.css';

/** The three things that people look a profile up for. */
export const ProfileFacts = ({ profile }: { readonly profile: Profile }): ReactNode => (
  <dl className={styles.facts}>
    <Fact name={texts.created}>
      <b>{texts.ago(ageInWords(Date.parse(profile.created_at), Date.now()))}</b>
      <Time iso={profile.created_at} />
      <Menu icon="copy" label={texts.copyDate}>
        {dateForms(profile.created_at).map(([name, text]) => (
          <CopyButton key={name} text={text} label={texts.copyDateAs(name, text)} labelled />
        ))}
      </Menu>
    </Fact>
    <Fact name={texts.id}>
      <b>{profile.id}</b>
      <span>{texts.idNote}</span>
      <CopyButton text={profile.id} label={texts.copyId} />
    </Fact>
    <Colors {...profile} />
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

const Colors = ({ accent_color, banner_color }: Profile): ReactNode => {
  const colors = [...new Set([accent_color, banner_color])].filter((color) => color !== null);
  const what = colors.length > 1 ? texts.accentThenBanner : texts.accentIsBanner;
  const [only = accent_color === null ? texts.banner : texts.accent] =
    accent_color === banner_color ? [what] : [];
  return (
    <Fact name={texts.color}>
      {colors.length === 0 && <b>{texts.noColor}</b>}
      {colors.map((color) => (
        <b key={color}>
          <i className={styles.swatch} style={{ backgroundColor: color }} />
          {color}
        </b>
      ))}
      {colors.length > 0 && <span>{colors.length > 1 ? what : only}</span>}
      {colors.length > 0 && <CopyButton text={colors.join(' ')} label={texts.copyColors(colors)} />}
    </Fact>
  );
};
