import type { ProfileAnswer } from '../../../read-profile.ts';
import { fill } from '#shared/fill.ts';
import type { TextStore } from '../../../texts/text-store.ts';
import { guildsOf } from '../guild-tags.ts';
import { handleOf, profileTitle, shortTitle, shownName } from '../profile-name.ts';
import { dateForms } from '../profile-facts.tsx';
import { accountKind } from './account-kind.ts';

/** Nothing in a name may become markup, a mention or a second line of the report. */
const plain = (text: string): string =>
  shortTitle(shownName(text.replaceAll(/\s+/g, ' ')) ?? '').replaceAll(
    /[\\`*_~|<>[\]()#@:-]/g,
    String.raw`\$&`,
  );

type Reported = Omit<ProfileAnswer, 'pictures'>;

/** For moderators: what they would type into a report, in the platform's own markup. */
export const profileMarkdown = (
  profile: Reported,
  link: string,
  { section }: Pick<TextStore, 'section'>,
): string => {
  const [texts, card, pictures] = [section('export'), section('card'), section('pictures')];
  const flags: Partial<Record<string, string>> = section('flags');
  const { date, age } = dateForms(profile.created_at);
  const { date: lookedUp } = dateForms(profile.looked_up_at);
  const tags = guildsOf(profile, card).map(
    ({ name, guild }) =>
      `${name}: ${plain(guild.tag ?? '')} (${fill(card.server, { id: `\`${guild.identity_guild_id}\`` })})`,
  );
  return [
    `**${plain(profileTitle(profile, card.invisibleName))}** (${plain(handleOf(profile))})`,
    `- ${card.id}: \`${profile.id}\``,
    `- ${texts.kind}: ${accountKind(profile, texts.kinds)}`,
    `- ${card.created}: ${date} (${age})`,
    `- ${texts.badges}: ${profile.flags.map(({ id, name }) => flags[id] ?? name).join(', ') || texts.noBadges}`,
    ...tags.map((tag) => `- ${tag}`),
    ...(profile.avatar_url === null ? [] : [`- ${pictures.avatar.name}: <${profile.avatar_url}>`]),
    ...(profile.banner_url === null ? [] : [`- ${pictures.banner.name}: <${profile.banner_url}>`]),
    `- ${fill(texts.source, { time: lookedUp, link: `<${link}>` })}`,
  ].join('\n');
};
