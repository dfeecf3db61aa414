import type { ProfileAnswer } from '../../../read-profile.ts';
import { fill } from '#shared/fill.ts';
import { formatsOf } from '../../../texts/formats.ts';
import type { TextStore } from '../../../texts/text-store.ts';
import { guildsOf } from '../guild-tags.ts';
import { accountKind, handleOf, profileTitle, shortTitle, shownName } from '../profile-name.ts';
import { platformDate } from '../date-forms.ts';

/** Nothing in a name may become markup, a mention or a second line of the report. */
const plain = (text: string): string =>
  shortTitle(shownName(text.replaceAll(/\s+/g, ' ')) ?? '').replaceAll(
    /[\\`*_~|<>[\]()#@:-]/g,
    String.raw`\$&`,
  );

type Reported = Omit<ProfileAnswer, 'pictures'>;

export const profileMarkdown = (
  profile: Reported,
  link: string,
  { section, language }: Pick<TextStore, 'section' | 'language'>,
): string => {
  const [texts, card, pictures] = [section('export'), section('card'), section('pictures')];
  const line = (label: string, value: string): string => `- ${fill(card.labelled, { label, value })}`;
  const withNote = (text: string, note: string): string => fill(card.withNote, { text, note });
  const flags: Partial<Record<string, string>> = section('flags');
  const created = withNote(platformDate(profile.created_at, 'F'), platformDate(profile.created_at, 'R'));
  const badges = formatsOf(language).list(profile.flags.map(({ id, name }) => flags[id] ?? name));
  const lookedUp = platformDate(profile.looked_up_at, 'F');
  const tags = guildsOf(profile, card).map(({ name, guild }) => {
    const server = fill(card.server, { id: `\`${guild.identity_guild_id}\`` });
    return line(name, withNote(plain(guild.tag ?? ''), server));
  });
  return [
    withNote(`**${plain(profileTitle(profile, card.invisibleName))}**`, plain(handleOf(profile))),
    line(card.id, `\`${profile.id}\``),
    line(texts.kind, accountKind(profile, texts.kinds)),
    line(card.created, created),
    line(texts.badges, badges || texts.noBadges),
    ...tags,
    ...(profile.avatar_url === null ? [] : [line(pictures.avatar.name, `<${profile.avatar_url}>`)]),
    ...(profile.banner_url === null ? [] : [line(pictures.banner.name, `<${profile.banner_url}>`)]),
    `- ${fill(texts.source, { time: lookedUp, link: `<${link}>` })}`,
  ].join('\n');
};
