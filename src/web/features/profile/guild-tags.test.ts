import { expect, it } from 'vitest';
import { distinctTags, guildsOf } from './guild-tags.ts';

const NAMES = { clan: 'Clan', primaryGuild: 'Primary Guild' };
const owls = { tag: 'OWLS', identity_guild_id: '1' };
const bats = { tag: 'BATS', identity_guild_id: '2' };

it.each([
  [null, null, [], 0],
  [owls, null, ['Clan OWLS null'], 1],
  [null, owls, ['Primary Guild OWLS badge'], 1],
  // Both, even if they are the same; but one tag beside the name.
  [owls, owls, ['Clan OWLS badge', 'Primary Guild OWLS badge'], 1],
  [bats, owls, ['Clan BATS null', 'Primary Guild OWLS badge'], 2],
])('of the clan %j and the primary guild %j shows %j', (clan, primary_guild, shown, tags) => {
  const guilds = guildsOf({ clan, primary_guild, badge_url: 'badge' }, NAMES);
  expect(guilds.map(({ name, guild, badge }) => `${name} ${guild.tag} ${badge}`)).toEqual(shown);
  expect(distinctTags(guilds)).toHaveLength(tags);
});
