import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './profile-facts.module.css';

/** What people look up a profile for. The id reveals both before the rest is known. */
export const ProfileFacts = ({ id, created_at }: Pick<Profile, 'id' | 'created_at'>): ReactNode => {
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
    </dl>
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
