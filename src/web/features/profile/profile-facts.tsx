import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { ageInWords } from '#shared/age.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './profile-facts.module.css';

/** The three things that people look a profile up for. */
export const ProfileFacts = ({ profile }: { readonly profile: Profile }): ReactNode => (
  <dl className={styles.facts}>
    <Fact name="Created">
      <b>{ageInWords(Date.parse(profile.created_at), Date.now())} ago</b>
      <Time iso={profile.created_at} />
      <Menu icon="copy" label="Copy date">
        {dateForms(profile.created_at).map(([name, text]) => (
          <CopyButton key={name} text={text} label={`Copy ${name} ${text}`} labelled />
        ))}
      </Menu>
    </Fact>
    <Fact name="ID">
      <b>{profile.id}</b>
      <span>Never changes</span>
      <CopyButton text={profile.id} label="Copy ID" />
    </Fact>
    <Colors {...profile} />
  </dl>
);

/** The first two are how a message on the platform shows a moment in everybody's own time. */
export const dateForms = (iso: string): readonly (readonly [name: string, text: string])[] => {
  const unix = Math.floor(Date.parse(iso) / 1_000);
  return [
    ['date', `<t:${unix}:F>`],
    ['age', `<t:${unix}:R>`],
    ['Unix time', String(unix)],
    ['UTC', iso.replace(/\.\d+/, '')],
  ];
};

const Colors = ({ accent_color, banner_color }: Profile): ReactNode => {
  const colors = [...new Set([accent_color, banner_color])].filter((color) => color !== null);
  const what = colors.length > 1 ? 'Accent, then banner' : 'Accent and banner';
  const [only = accent_color === null ? 'Banner' : 'Accent'] = accent_color === banner_color ? [what] : [];
  return (
    <Fact name="Colour">
      {colors.length === 0 && <b>Not set</b>}
      {colors.map((color) => (
        <b key={color}>
          <i className={styles.swatch} style={{ backgroundColor: color }} />
          {color}
        </b>
      ))}
      {colors.length > 0 && <span>{colors.length > 1 ? what : only}</span>}
      {colors.length > 0 && <CopyButton text={colors.join(' ')} label={`Copy ${colors.join(' and ')}`} />}
    </Fact>
  );
};
