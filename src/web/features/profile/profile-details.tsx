import { useState, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import type { ProfileAnswer } from '../../read-profile.ts';
import { fillElements } from '../../texts/fill-elements.ts';
import { Link } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Time } from '../../ui/time.tsx';
import { UNSEEN } from './names/odd-characters.ts';
import { isOver } from './picture-forms.ts';
import styles from './profile-details.module.css';
import { shownName } from './profile-name.ts';

const escapeUnits = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const rawJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSEEN, (unseen) =>
    unseen === '\n' ? unseen : escapeUnits(unseen),
  );

/** All but the addresses that expire. */
export const profileJson = (profile: ProfileAnswer): string => rawJson({ ...profile, pictures: undefined });

export const ProfileDetails = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const [opened, setOpened] = useState(false);
  return (
    <details className={styles.details} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="quiet">{useTexts('card').details}</summary>
      {opened && <Details profile={profile} />}
    </details>
  );
};

const Details = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const texts = useTexts('card');
  const json = profileJson(profile);
  return (
    <div className={styles.content}>
      <FieldTable profile={profile} />
      <Link href="/help#missing">{texts.whyMissing}</Link>
      <div className={styles.head}>
        <h3>{texts.json}</h3>
        <CopyButton text={json} label={texts.copyJson} look="words" />
      </div>
      <pre tabIndex={0} role="region" aria-label={texts.json} dir="ltr">
        {json}
      </pre>
    </div>
  );
};

const isolated = (text: string | null | undefined): ReactNode => text && <bdi>{text}</bdi>;

const colored = (color: string | null): ReactNode =>
  color && (
    <>
      <i style={{ backgroundColor: color }} /> {color}
    </>
  );

type Row = readonly [name: string, value: ReactNode];

const useRows = (profile: ProfileAnswer): readonly Row[] => {
  const texts = useTexts('card');
  const { fields } = texts;
  const pictures = useTexts('pictures');
  const { list, day } = useFormats();
  const { discriminator, speaking_colors: speaking } = profile;
  const over = (name: string, expires: string | null = null): readonly Row[] =>
    isOver(expires, Date.now())
      ? [[name, fill(pictures.expired, { day: day(Date.parse(expires ?? '')) })]]
      : [];
  const guild = (identity: ProfileAnswer['clan']): ReactNode =>
    identity &&
    fillElements(texts.withNote, {
      text: isolated(shownName(identity.tag) ?? texts.none),
      note: fill(texts.server, { id: identity.identity_guild_id }),
    });
  return [
    [fields.username, isolated(shownName(profile.username))],
    [fields.displayName, isolated(shownName(profile.display_name))],
    [fields.globalName, isolated(shownName(profile.global_name))],
    [fields.discriminator, discriminator !== '0' && isolated(`#${shownName(discriminator) ?? ''}`)],
    [fields.avatar, isolated(profile.avatar_url)],
    [fields.banner, isolated(profile.banner_url)],
    [texts.created, <Time key="created" iso={profile.created_at} />],
    [fields.badge, isolated(profile.badge_url)],
    [fields.accentColor, colored(profile.accent_color)],
    [fields.bannerColor, colored(profile.banner_color)],
    [
      fields.speakingColors,
      speaking.length > 0 && speaking.map((color, place) => <p key={place}>{colored(color)}</p>),
    ],
    [texts.flags, list(profile.flags.map(({ id }) => id))],
    [texts.publicFlags, String(profile.public_flags)],
    [texts.clan, guild(profile.clan)],
    [texts.primaryGuild, guild(profile.primary_guild)],
    ...over(pictures.decoration.name, profile.avatar_decoration_expires_at),
    ...over(pictures.nameplate.name, profile.nameplate?.expires_at),
  ];
};

const FieldTable = ({ profile }: { readonly profile: ProfileAnswer }): ReactNode => {
  const { none } = useTexts('card');
  return (
    <table className={styles.fields}>
      <tbody>
        {useRows(profile).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value || none}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
