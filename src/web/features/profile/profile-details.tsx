import { useState, type ReactNode } from 'react';
import type { ProfileAnswer } from '#shared/contract/profile.ts';
import { fill } from '#shared/fill.ts';
import { useLocalPath, useTexts } from '../../environment.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { guildsShown } from './guild-tags.ts';
import { UNSEEN } from './names/odd-characters.ts';
import styles from './profile-details.module.css';
import { shownName } from './profile-name.ts';

const escapeUnits = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON for people to read, with invisible characters written out. */
export const rawJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSEEN, (unseen) =>
    unseen === '\n' ? unseen : escapeUnits(unseen),
  );

/** All but the addresses that expire. */
export const profileJson = (profile: ProfileAnswer): string => rawJson({ ...profile, pictures: undefined });

/** The raw answer, and why there is no more. Rendered only when it is opened. */
export const ProfileDetails = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const [opened, setOpened] = useState(false);
  const texts = useTexts('card');
  const localPath = useLocalPath();
  return (
    <div className={styles.end}>
      <details className={styles.details} onToggle={(event) => setOpened(event.currentTarget.open)}>
        <summary>{texts.details}</summary>
        {opened && <Details profile={profile} />}
      </details>
      <a href={localPath('/help#missing')}>{texts.whyMissing}</a>
    </div>
  );
};

const Details = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const texts = useTexts('card');
  const json = profileJson(profile);
  return (
    <div className={styles.content}>
      <dl className={styles.rows}>
        <Fact name={texts.id}>{profile.id}</Fact>
        <Fact name={texts.publicFlags}>{profile.public_flags}</Fact>
        <Fact name={texts.flags}>{profile.flags.map(({ id }) => id).join(', ') || texts.noFlags}</Fact>
        {guildsShown(profile, texts).map(({ name, guild }) => (
          <Fact key={name} name={name}>
            <bdi>{shownName(guild.tag)}</bdi>{' '}
            <span>{fill(texts.server, { id: guild.identity_guild_id })}</span>
            <CopyButton text={guild.identity_guild_id} label={texts.copyServerId} />
          </Fact>
        ))}
      </dl>
      <div className={styles.head}>
        <h3>{texts.json}</h3>
        <CopyButton text={json} label={texts.copyJson} labelled />
      </div>
      <pre tabIndex={0} role="region" aria-label={texts.json} dir="ltr">
        {json}
      </pre>
    </div>
  );
};
