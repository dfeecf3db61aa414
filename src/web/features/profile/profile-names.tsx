import type { CSSProperties, ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import type { Nameplate, ProfileFlag } from '#shared/contract/profile.ts';
import { NAMEPLATE_PALETTES } from '#shared/colors.ts';
import type { Profile } from '../../read-profile.ts';
import { useTexts } from '../../environment.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { distinctTags, guildsOf } from './guild-tags.ts';
import { NameWarnings } from './names/name-warnings.tsx';
import { StyledName } from './names/styled-name.tsx';
import { handleOf, isDeleted, plateDescription, shownName } from './profile-name.ts';
import { Picture } from './pictures.tsx';
import styles from './profile-names.module.css';

type ProfileNamesProps = {
  readonly profile: Profile;
  readonly title: string;
  readonly moving: boolean;
};

type PlateColor = CSSProperties & { '--plate': string };

const plateColor = ({ palette }: Nameplate): PlateColor | undefined => {
  const [light, dark] = NAMEPLATE_PALETTES[palette ?? ''] ?? [];
  return light === undefined ? undefined : { '--plate': `light-dark(${light}, ${dark})` };
};

export const ProfileNames = ({ profile, title, moving }: ProfileNamesProps): ReactNode => {
  const plate = profile.nameplate;
  const texts = useTexts('card');
  return (
    <div className={styles.names} style={plate === null ? undefined : plateColor(plate)}>
      {plate !== null && (
        <Picture
          src={moving ? plate.animated_url : plate.static_url}
          alt={plateDescription(plate.label)}
          className={styles.plate}
        />
      )}
      <div className={styles.first}>
        {/* Letters that are drawn one by one would be read one by one. */}
        <h2 className={styles.title} tabIndex={-1} aria-label={title}>
          <StyledName name={title} chosen={profile.display_name_styles} />
        </h2>
        <CopyButton text={title} label={texts.copyDisplayName} />
        <Kind profile={profile} />
      </div>
      <Handle profile={profile} />
      <NameWarnings profile={profile} />
    </div>
  );
};

const Kind = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const texts = useTexts('card');
  const verified = profile.system || profile.flags.some(({ id }) => id === 'VERIFIED_BOT');
  return (
    (profile.bot || profile.system) && (
      <span className={styles.kind}>
        {verified && <Icon name="check" />}
        {verified && (
          <VisuallyHidden>{profile.system ? texts.verifiedSystem : texts.verifiedApp}</VisuallyHidden>
        )}
        <span aria-hidden={verified}>{profile.system ? texts.system : texts.app}</span>
      </span>
    )
  );
};

const Tags = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const texts = useTexts('card');
  return distinctTags(guildsOf(profile, texts)).map(({ name, guild, badge }) => {
    const tag = shownName(guild.tag);
    return (
      (tag !== undefined || badge !== null) && (
        <span key={name} className={styles.tag} title={name}>
          {badge !== null && <Picture src={badge} alt="" />}
          <VisuallyHidden>{fill(texts.labelled, { label: name, value: '' })}</VisuallyHidden>
          <bdi className="cut">{tag}</bdi>
        </span>
      )
    );
  });
};

const Handle = ({ profile }: { readonly profile: Profile }): ReactNode => {
  const texts = useTexts('card');
  if (isDeleted(profile)) return <p className={styles.handle}>{texts.deleted}</p>;
  const { username, discriminator } = profile;
  const shown = shownName(username) ?? texts.invisibleName;
  return (
    <p className={styles.handle}>
      <CopyButton text={handleOf(profile)} label={texts.copyUsername} look="value">
        <span className={styles.username}>
          {discriminator === '0' ? (
            <bdi>@{shown}</bdi>
          ) : (
            <span dir="ltr">
              <bdi>{shown}</bdi>
              <bdi>#{shownName(discriminator)}</bdi>
            </span>
          )}
        </span>
      </CopyButton>
      <Tags profile={profile} />
    </p>
  );
};

export const Badges = ({ flags }: { readonly flags: readonly ProfileFlag[] }): ReactNode => {
  const texts = useTexts('card');
  const names: Partial<Record<string, string>> = useTexts('flags');
  const notes: Partial<Record<string, string>> = useTexts('flagNotes');
  return (
    flags.length > 0 && (
      <ul className={styles.badges} aria-label={texts.flags}>
        {flags.map(({ id, name, image }) => (
          <li key={id}>
            <button type="button">
              {image === null ? <b>{names[id] ?? name}</b> : <Picture src={image} alt="" />}
              {(image !== null || notes[id]) && (
                <span>
                  {image !== null && (names[id] ?? name)} <small>{notes[id]}</small>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    )
  );
};
