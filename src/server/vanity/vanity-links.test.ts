import { expect, it } from 'vitest';
import { vanityLink } from '#test/support/vanity-link.ts';
import { createVanityLinks } from './vanity-links.ts';
import type { VanityLinkStore } from './vanity-link-store.ts';

const linksOf = async (...rows: Parameters<typeof vanityLink>[0][]) => {
  const all = async () => rows.map((fields) => vanityLink(fields));
  const links = createVanityLinks({ all } as VanityLinkStore);
  await links.refresh();
  return links;
};

it('a link keeps working though its name is reserved by now, in any case', async () => {
  const links = await linksOf({ name: 'status' }, { name: 'de' });
  for (const name of ['status', 'STATUS', 'de']) expect(links.follow(name)).toMatchObject({ kind: 'invite' });
  expect(links.follow('\u212Aelvin')).toBeUndefined();
});

it.each([
  '../../x?redirect=https://evil.example',
  'ab\r\nset-cookie: a=b',
  '@evil.example',
  7 as unknown as string,
  null as unknown as string,
])('a row with the invite %j, which we cannot have written, leads nowhere', async (invite_code) => {
  const links = await linksOf({ name: 'odd', invite_code }, { name: 'good' });
  expect(links.follow('odd')).toBeUndefined();
  expect(links.follow('good')).toMatchObject({ kind: 'invite' });
});
