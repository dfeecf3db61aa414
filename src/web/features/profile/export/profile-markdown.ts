import type { Profile } from '#shared/contract/profile.ts';
import { guildsShown } from '../guild-tags.ts';
import { handleOf, isDeleted, profileTitle, shownName } from '../profile-name.ts';
import { dateForms } from '../profile-facts.tsx';

/** Nothing in a name may become markup, a mention or a second line of the report. */
const plain = (text: string): string =>
  (shownName(text.replaceAll(/\s+/g, ' ')) ?? '').replaceAll(/[\\`*_~|<>[\]()#@:-]/g, String.raw`\$&`);

const kindOf = (profile: Profile): string => {
  if (profile.system) return 'System account';
  if (profile.bot) return 'App';
  return isDeleted(profile) ? 'Deleted account' : 'User';
};

/** For moderators: what they would type into a report, in the platform's own markup. */
export const profileMarkdown = (profile: Profile, link: string): string => {
  const [date, age] = dateForms(profile.created_at).map(([, text]) => text);
  const tags = guildsShown(profile).map(
    ({ name, guild }) => `${name}: ${plain(guild.tag ?? '')} (server \`${guild.identity_guild_id}\`)`,
  );
  return [
    `**${plain(profileTitle(profile))}** (${plain(handleOf(profile))})`,
    `- ID: \`${profile.id}\``,
    `- Kind: ${kindOf(profile)}`,
    `- Created: ${date} (${age})`,
    `- Badges: ${profile.flags.map(({ name }) => name).join(', ') || 'none'}`,
    ...tags.map((tag) => `- ${tag}`),
    `- Avatar: <${profile.avatar_url}>`,
    ...(profile.banner_url === null ? [] : [`- Banner: <${profile.banner_url}>`]),
    `- Looked up with <${link}>`,
  ].join('\n');
};
