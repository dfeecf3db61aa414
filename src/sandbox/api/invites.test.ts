import { describe, expect, it } from 'vitest';
import { createInvites } from './invites.ts';

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const setUp = () => createInvites();
const invites = setUp();

describe('generated invites', () => {
  it('are of every kind, the same every time, and none has expired', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => invites.find(`code${n}`)) as (
      | { type: number; expires_at: string | null }
      | undefined
    )[];
    expect(new Set(many.map((invite) => invite?.type))).toEqual(new Set([undefined, 0, 1, 2]));
    expect(many).toEqual(Array.from(many.keys(), (n) => setUp().find(`code${n}`)));
    for (const expiry of many.map((invite) => invite?.expires_at))
      if (typeof expiry === 'string') expect(Date.parse(expiry)).toBeGreaterThan(NOW_MS);
  });

  it('include one of each unusual kind by name', () => {
    expect(invites.find('group')).toMatchObject({ type: 1, channel: { type: 3 } });
    expect(invites.find('friend')).toMatchObject({ type: 2, channel: null });
    expect(invites.find('expired')).toBeUndefined();
  });

  it.each(['group', 'whoflake'])('lead to the server that %s is pointed at, or nowhere', (code) => {
    const taken = setUp();
    taken.setGuild(code, '42');
    expect(taken.find(code)).toMatchObject({ type: 0, guild_id: '42', guild: { id: '42' } });
    taken.setGuild(code, null);
    expect(taken.find(code)).toBeUndefined();
  });
});
