import { describe, expect, it } from 'vitest';
import { ENGLISH } from '#test/support/texts.ts';
import { guildsShown } from './guild-tags.ts';

const snow = { tag: 'SNOW', identity_guild_id: '332779590571257874' };
const lamp = { tag: 'LAMP', identity_guild_id: '673347428472057875' };
const without = { tag: 'GONE', identity_guild_id: '' };

describe('the tags of clan and primary guild', () => {
  it.each([
    [null, null, []],
    [snow, null, ['Clan']],
    [null, snow, ['Primary Guild']],
    [snow, lamp, ['Clan', 'Primary Guild']],
    [snow, { ...snow }, ['Clan and Primary Guild']],
    [snow, { ...snow, tag: 'ICE' }, ['Clan', 'Primary Guild']],
    [without, snow, ['Primary Guild']],
    [without, without, []],
  ])('of %j and %j are %j', (clan, primary_guild, names) => {
    const shown = guildsShown({ clan, primary_guild, badge_url: null }, ENGLISH.card);
    expect(shown.map(({ name }) => name)).toEqual(names);
  });
});
