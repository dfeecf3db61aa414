import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useFormats, useTexts } from '../../environment.ts';
import type { Profile } from '../../read-profile.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { guildsOf, type ShownGuild } from './guild-tags.ts';
import { Picture } from './pictures.tsx';
import styles from './profile-facts.module.css';
import { shownName } from './profile-name.ts';

type ProfileFactsProps = Pick<Profile, 'id' | 'created_at' | 'clan' | 'primary_guild' | 'badge_url'>;

/** What people look up a profile for. The id reveals the first two before the rest is known. */
export const ProfileFacts = ({ id, created_at, ...profile }: ProfileFactsProps): ReactNode => {
  const texts = useTexts('card');
  const ui = useTexts('ui');
  const age = useFormats().span([Date.parse(created_at), Date.now()], ui);
  const forms = dateForms(created_at);
  return (
    <dl className={styles.facts}>
      <Fact name={texts.created}>
        <b>{fill(ui.ago, { age })}</b>
        <Time iso={created_at} />
        <Menu icon="copy" label={texts.copyDate}>
          {DATE_FORMS.map((form) => (
            <CopyButton
              key={form}
              text={forms[form]}
              label={`${texts.dateForms[form]}: ${forms[form]}`}
              labelled={
                <span>
                  {texts.dateForms[form]}: <bdi dir="ltr">{forms[form]}</bdi>
                </span>
              }
            />
          ))}
        </Menu>
      </Fact>
      <Fact name={texts.id}>
        <b>
          <bdi>{id}</bdi>
        </b>
        <CopyButton text={id} label={texts.copyId} />
      </Fact>
      {guildsOf(profile, texts).map((shown) => (
        <GuildFact key={shown.name} {...shown} />
      ))}
    </dl>
  );
};

const GuildFact = ({ name, guild, badge }: ShownGuild): ReactNode => {
  const texts = useTexts('card');
  return (
    <Fact name={name}>
      <b className={styles.tag}>
        {badge !== null && <Picture src={badge} alt="" />}
        <bdi>{shownName(guild.tag) ?? texts.none}</bdi>
      </b>
      <span>{fill(texts.server, { id: guild.identity_guild_id })}</span>
      <CopyButton text={guild.identity_guild_id} label={texts.copyServerId} />
    </Fact>
  );
};

const DATE_FORMS = ['date', 'age', 'unix', 'utc'] as const;

/** The first two are how a message on the platform shows a moment in everybody's own time. */
export const dateForms = (iso: string): Readonly<Record<(typeof DATE_FORMS)[number], string>> => {
  const unix = Math.floor(Date.parse(iso) / 1_000);
  return {
    date: `<t:${unix}:F>`,
    age: `<t:${unix}:R>`,
    unix: String(unix),
    utc: iso.replace(/\.\d+/, ''),
  };
};
