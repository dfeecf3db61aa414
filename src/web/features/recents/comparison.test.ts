import { describe, expect, it } from 'vitest';
import { composeSnowflake } from '#shared/snowflake.ts';
import { fullTextStore } from '#test/support/texts.ts';
import { ageDifference } from './comparison.tsx';
import { smallPicture } from './recent-card.tsx';
import type { RecentLookup } from './recents-store.ts';

const madeAt = (iso: string, name: string): RecentLookup => ({
  id: composeSnowflake(Date.parse(iso), 7),
  name,
  handle: name.toLowerCase(),
  avatarUrl: '',
  badges: [],
  tag: null,
  color: null,
  bot: false,
});

const ada = madeAt('2018-05-04T16:20:17Z', 'Ada');

const texts = fullTextStore('en');

describe('comparing two profiles', () => {
  it('does not take a difference of seconds for none', () => {
    const cy = madeAt('2018-05-04T16:20:18Z', 'Cy');
    expect(ageDifference([cy, ada], texts)).toBe(
      '\u2068Ada\u2069 is the older account, by less than a minute.',
    );
  });

  it('says so when both are of one moment', () => {
    expect(ageDifference([ada, { ...ada, name: 'Eve' }], texts)).toBe(
      'Both accounts were created at the same moment.',
    );
  });
});

describe('a small picture', () => {
  it.each([
    ['avatars/1/a.png?size=512', 'avatars/1/a.png?size=64'],
    ['avatars/1/a_b.webp?size=512&animated=true', 'avatars/1/a_b.webp?size=64'],
    ['embed/avatars/1.png', 'embed/avatars/1.png'],
  ])('of %s is %s', (path, small) => {
    expect(smallPicture(`https://cdn.example/${path}`)).toBe(`https://cdn.example/${small}`);
  });

  it('of what is no address is none', () => expect(smallPicture('no address')).toBe(''));
});
