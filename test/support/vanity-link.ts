import type { VanityLinkRow } from '#server/storage/schema.ts';
import type { TestApp } from './test-app.ts';

/** The link `lounge` to a server of the sandbox, unless the fields say otherwise. */
export const vanityLink = (fields: Partial<VanityLinkRow> = {}): VanityLinkRow => ({
  name: 'lounge',
  invite_code: 'whoflake',
  guild_id: '332779590571257874',
  paused_because: null,
  checked_at: '2026-11-15T00:00:00.000Z',
  created_day: '2026-11-15',
  donor: 'Canary Donor',
  amount_eur: 18,
  donated_on: '2026-11-14',
  ...fields,
});

export const addVanityLink = async (
  { app, records }: Pick<TestApp, 'app' | 'records'>,
  checkedMs: number,
  fields: Partial<VanityLinkRow> = {},
): Promise<void> => {
  await records.vanityLinks.add(vanityLink({ checked_at: new Date(checkedMs).toISOString(), ...fields }));
  await app.refresh();
};
