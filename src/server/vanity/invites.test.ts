import { describe, expect, it, test } from 'vitest';
import type { VanityLinkRow } from '#server/storage/schema.ts';
import { useDialects, type TestDatabase } from '#test/support/databases.ts';
import { createFakePlatform } from '#test/support/fake-platform.ts';
import { createFakeSystem, type FakeSystem } from '#test/support/fake-system.ts';
import { vanityLink } from '#test/support/vanity-link.ts';
import { createCheckLink, watchInvites } from './invites.ts';
import { createVanityLinkStore, type VanityLinkStore } from './vanity-link-store.ts';

const link = (name: string, fields: Partial<VanityLinkRow> = {}): VanityLinkRow =>
  vanityLink({ name, invite_code: `code-${name}`, guild_id: '1', ...fields });

const leadsTo = (guildId: string) =>
  ({ kind: 'found', value: { server: { guildId, guildName: 'A server' } }, reading: null }) as const;
const SAME = leadsTo('1');
const OTHER = leadsTo('2');

const openStore = async (create: () => Promise<TestDatabase>) => {
  const test = await create();
  const { database } = await test.open();
  return { store: createVanityLinkStore(database), [Symbol.asyncDispose]: test[Symbol.asyncDispose] };
};

const dialects = useDialects();

describe.each(dialects)('on $name', ({ missing, create }) => {
  const it = test.skipIf(missing !== null);

  it.each([
    ['pauses it', SAME, { paused_because: 'operator' as const }],
    ['pauses it', OTHER, { paused_because: 'operator' as const }],
    ['gives it another server', OTHER, { guild_id: '2' }],
  ])('what the operator does while an invite is being asked about stands: %s', async (_, found, change) => {
    await using opened = await openStore(create);
    const { store } = opened;
    await store.add(link('a'));
    const system = createFakeSystem();
    const getInvite = async () => {
      await store.update('a', change);
      return found;
    };
    const platform = createFakePlatform({ system, client: { getInvite } });
    await createCheckLink(system.clock, store, platform)(link('a'));
    expect(await store.find('a')).toMatchObject({ paused_because: null, ...change });
  });
});

const [{ create: createSqlite }] = dialects as [(typeof dialects)[number]];

const watchWith = (store: VanityLinkStore, system: FakeSystem, asked: string[]) =>
  watchInvites({
    clock: system.clock,
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
