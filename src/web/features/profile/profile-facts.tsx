import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import type { Linked } from '#shared/site.ts';
import { useFormats, useTexts } from '../../environment.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import type { ShownGuild } from './guild-tags.ts';
import { Picture } from './pictures.tsx';
import styles from './profile-facts.module.css';
import { shownName } from './profile-name.ts';

/** When an account was created, in words. */
export type Created = Pick<Linked, 'createdIso' | 'created' | 'age'>;

export const useCreated = (createdIso: string): Created => {
  const { utc, span } = useFormats();
  const ui = useTexts('ui');
  const ms = Date.parse(createdIso);
  return { createdIso, created: utc(ms), age: span([ms, Date.now()], ui) };
};

type ProfileFactsProps = {
  readonly id: string;
  readonly created: Created;
  readonly guilds: readonly ShownGuild[];
};

/** What people look up a profile for. The id reveals the first two before the rest is known. */
export const ProfileFacts = ({ id, created, guilds }: ProfileFactsProps): ReactNode => {
  const texts = useTexts('card');
  const ui = useTexts('ui');
  const forms = dateForms(created.createdIso);
  return (
    <dl className={styles.facts}>
      <Fact name={texts.created}>
        <b>{fill(ui.ago, { age: created.age })}</b>
        <Time iso={created.createdIso} words={created.created} />
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
      {guilds.map((shown) => (
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
