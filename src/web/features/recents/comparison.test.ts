import { expect, it } from 'vitest';
import { composeSnowflake } from '#shared/snowflake.ts';
import { fullTextStore } from '#test/support/texts.ts';
import { ageDifference } from './comparison.tsx';
import { smallPicture } from './recent-card.tsx';
import type { RecentLookup } from './recents-store.ts';

const madeAt = (iso: string, name: string): RecentLookup => ({
  id: composeSnowflake(Date.parse(iso), 7),
  name,
  handle: '',
  avatarUrl: '',
  badges: [],
  tag: null,
  color: null,
  bot: false,
});

it.each([
  ['2018-05-04T16:20:18Z', '\u2068Ada\u2069 is the older account, by less than a minute.'],
  ['2018-05-04T16:20:17Z', 'Both accounts were created at the same moment.'],
])('beside an account of 16:20:17, one of %s is told as: %s', (iso, words) => {
  const pair = [madeAt(iso, 'Cy'), madeAt('2018-05-04T16:20:17Z', 'Ada')] as const;
  expect(ageDifference(pair, fullTextStore('en'))).toBe(words);
});

it.each([
  ['avatars/1/a.png?size=512', 'avatars/1/a.png?size=64'],
  ['avatars/1/a_b.webp?size=512&animated=true', 'avatars/1/a_b.webp?size=64'],
  ['embed/avatars/1.png', 'embed/avatars/1.png'],
])('the small picture of %s is %s', (path, small) => {
  expect(smallPicture(`https://cdn.example/${path}`)).toBe(`https://cdn.example/${small}`);
});
