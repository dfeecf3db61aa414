import type { ProfileAnswer } from '#shared/contract/profile.ts';
import { profileReport as texts } from '../../../texts/profile/report.ts';
import { guildsShown } from '../guild-tags.ts';
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
export const profileMarkdown = (profile: Reported, link: string): string => {
  const [date, age] = dateForms(profile.created_at).map(([, text]) => text);
  const [lookedUp = ''] = dateForms(profile.looked_up_at).map(([, text]) => text);
  const tags = guildsShown(profile).map(
    ({ name, guild }) =>
      `${name}: ${plain(guild.tag ?? '')} (${texts.server(`\`${guild.identity_guild_id}\``)})`,
  );
  return [
    `**${plain(profileTitle(profile))}** (${plain(handleOf(profile))})`,
    `- ${texts.id}: \`${profile.id}\``,
    `- ${texts.kind}: ${accountKind(profile)}`,
    `- ${texts.created}: ${date} (${age})`,
    `- ${texts.badges}: ${profile.flags.map(({ name }) => name).join(', ') || texts.noBadges}`,
    ...tags.map((tag) => `- ${tag}`),
    `- ${texts.avatar}: <${profile.avatar_url}>`,
    ...(profile.banner_url === null ? [] : [`- ${texts.banner}: <${profile.banner_url}>`]),
    `- ${texts.source(lookedUp, `<${link}>`)}`,
  ].join('\n');
};
