import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { ageInWords } from '../../ui/age.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './profile-facts.module.css';

/** The id is the one that was asked for: the answer does not repeat it. */
export type FoundProfile = { readonly id: string; readonly profile: Profile };

export const ProfileFacts = ({ id, profile }: FoundProfile): ReactNode => {
  const { created_at, accent_color, banner_color, badge_url, public_flags } = profile;
  return (
    <dl className={styles.facts}>
      <Fact name="ID">
        {id}
        <CopyButton text={id} label="Copy ID" />
      </Fact>
      <Fact name="Created">
        <Time iso={created_at} />
      </Fact>
      <Fact name="Age">{ageInWords(Date.parse(created_at), Date.now())}</Fact>
      <Fact name="Public flags">{public_flags}</Fact>
      {accent_color === banner_color ? (
        <ColorFact name="Accent and banner color" value={accent_color} />
      ) : (
        <>
          <ColorFact name="Accent color" value={accent_color} />
          <ColorFact name="Banner color" value={banner_color} />
        </>
      )}
      {badge_url !== null && profile.primary_guild === null && (
        <Fact name="Badge">
          <img src={badge_url} alt="Server badge" width="24" height="24" />
        </Fact>
      )}
    </dl>
  );
};

const ColorFact = ({ name, value }: { readonly name: string; readonly value: string | null }): ReactNode => (
  <Fact name={name}>
    {value === null ? (
      'Not set'
    ) : (
      <>
        <span className={styles.swatch} style={{ backgroundColor: value }} />
        {value}
        <CopyButton text={value} label={`Copy ${value}`} />
      </>
    )}
  </Fact>
);
