import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#server/storage/database.ts';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createCheckLink } from './check-link.ts';
import { watchInvites } from './invite-watch.ts';
import { createVanityLinkStore } from './vanity-link-store.ts';

const link = (name: string, fields: Partial<VanityLinkRow> = {}): VanityLinkRow => ({
  name,
  invite_code: `code-${name}`,
  guild_id: '1',
  paused_because: null,
  checked_at: '2026-11-15T00:00:00.000Z',
  created_day: '2026-11-15',
  donor: null,
  amount_eur: null,
  donated_on: null,
  ...fields,
});

const leadsTo = (guildId: string) =>
  ({ kind: 'found', value: { server: { guildId, guildName: 'A server' } }, reading: null }) as const;
const SAME = leadsTo('1');
const OTHER = leadsTo('2');

const openStore = async () => {
  const folder = temporaryFolder();
  const database = await openDatabase(join(folder.path, 'db'));
  return {
    store: createVanityLinkStore(database),
    [Symbol.asyncDispose]: async () => {
      await database.destroy();
      folder[Symbol.dispose]();
    },
  };
};

describe('what the operator does while an invite is being asked about', () => {
  it.each([
    ['pauses it', SAME, { paused_because: 'operator' as const }],
    ['pauses it', OTHER, { paused_because: 'operator' as const }],
    ['gives it another server', OTHER, { guild_id: '2' }],
  ])('stands: %s', async (_, found, change) => {
    await using opened = await openStore();
    const { store } = opened;
    await store.add(link('a'));
    const system = createFakeSystem();
    const getInvite = async () => {
      await store.update('a', change);
      return found;
    };
    const platform = createFakePlatform({ system, client: { getInvite } });
    await createCheckLink({ clock: system.clock, store, platform })(link('a'));
    expect(await store.find('a')).toMatchObject({ paused_because: null, ...change });
  });
});

it('an invite that nothing can be learned of does not keep the others waiting', async () => {
  await using opened = await openStore();
  const { store } = opened;
  for (const name of ['a', 'b', 'c']) await store.add(link(name));
  const { clock, advance } = createFakeSystem();
  const asked: string[] = [];
  const stop = watchInvites({
    clock,
    store,
    checkLink: async ({ name }) => {
      asked.push(name);
      return 'unclear';
    },
    onPaused: async () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  await advance(4 * 60_000);
  expect(asked).toEqual(['a', 'b', 'c']);
  await advance(3_600_000);
  expect(asked.slice(3, 6)).toEqual(['a', 'b', 'c']);
  stop();
});
