import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { AccountAge, createdFacts, type CreatedFacts } from './account-age.tsx';
import { dateForms } from './date-forms.ts';
import type { ShownGuild } from './guild-tags.ts';
import { Picture } from './pictures.tsx';
import styles from './profile-facts.module.css';
import { shownName } from './profile-name.ts';

export const useCreated = (id: string, createdAt?: string): CreatedFacts => {
  const formats = useFormats();
  const ui = useTexts('ui');
  const ms = createdAt === undefined ? snowflakeCreatedMs(id as Snowflake) : Date.parse(createdAt);
  return createdFacts([ms, Date.now()], formats, ui);
};

type ProfileFactsProps = {
  readonly id: string;
  readonly created: CreatedFacts;
  readonly guilds: readonly ShownGuild[];
};

export const ProfileFacts = ({ id, created, guilds }: ProfileFactsProps): ReactNode => {
  const texts = useTexts('card');
  return (
    <dl className={styles.facts}>
      <Fact name={texts.created}>
        <AccountAge {...created} />
        <Time iso={created.createdIso} words={created.created} />
        <Menu icon="copy" label={texts.copyDate}>
          <DateForms iso={created.createdIso} />
        </Menu>
      </Fact>
      <Fact name={texts.id}>
        <CopyButton text={id} label={texts.copyId} look="value">
          <bdi>{id}</bdi>
        </CopyButton>
      </Fact>
      {guilds.map((shown) => (
        <GuildFact key={shown.name} {...shown} />
      ))}
    </dl>
  );
};

const GuildFact = ({ name, guild, badge }: ShownGuild): ReactNode => {
  const texts = useTexts('card');
  const id = guild.identity_guild_id;
  return (
    <Fact name={name}>
      <span className={styles.tag}>
        {badge !== null && <Picture src={badge} alt="" />}
        <bdi className="cut">{shownName(guild.tag) ?? texts.none}</bdi>
      </span>
      <CopyButton text={id} label={texts.copyServerId} look="value">
        <small>{fill(texts.server, { id })}</small>
      </CopyButton>
    </Fact>
  );
};

const DateForms = ({ iso }: { readonly iso: string }): ReactNode => {
  const texts = { card: useTexts('card'), ui: useTexts('ui') };
  return dateForms(iso, texts, useFormats()).map(({ text, seen }) => (
    <CopyButton key={text} text={text} label={`${seen} ${text}`} look="words">
      <span className={styles.form}>
        <span>{seen}</span>{' '}
        <bdi dir="ltr" className="small">
          {text}
        </bdi>
      </span>
    </CopyButton>
  ));
};
