import type { Profile } from '#shared/contract/profile.ts';
import { profileReport as texts } from '../../../texts/profile/report.ts';
import { guildsShown } from '../guild-tags.ts';
import { handleOf, isDeleted, profileTitle, shownName } from '../profile-name.ts';
import { dateForms } from '../profile-facts.tsx';

/** Nothing in a name may become markup, a mention or a second line of the report. */
const plain = (text: string): string =>
  (shownName(text.replaceAll(/\s+/g, ' ')) ?? '').replaceAll(/[\\`*_~|<>[\]()#@:-]/g, String.raw`\$&`);

const kindOf = (profile: Profile): string => {
  if (profile.system) return texts.system;
  if (profile.bot) return texts.app;
  return isDeleted(profile) ? texts.deleted : texts.user;
};

/** For moderators: what they would type into a report, in the platform's own markup. */
export const profileMarkdown = (profile: Profile, link: string): string => {
  const [date, age] = dateForms(profile.created_at).map(([, text]) => text);
  const tags = guildsShown(profile).map(
    ({ name, guild }) =>
      `${name}: ${plain(guild.tag ?? '')} (${texts.server(`\`${guild.identity_guild_id}\``)})`,
  );
  return [
    `**${plain(profileTitle(profile))}** (${plain(handleOf(profile))})`,
    `- ${texts.id}: \`${profile.id}\``,
    `- ${texts.kind}: ${kindOf(profile)}`,
    `- ${texts.created}: ${date} (${age})`,
    `- ${texts.badges}: ${profile.flags.map(({ name }) => name).join(', ') || texts.noBadges}`,
    ...tags.map((tag) => `- ${tag}`),
    `- ${texts.avatar}: <${profile.avatar_url}>`,
    ...(profile.banner_url === null ? [] : [`- ${texts.banner}: <${profile.banner_url}>`]),
    `- ${texts.source(`<${link}>`)}`,
  ].join('\n');
};
