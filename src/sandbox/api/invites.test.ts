import { describe, expect, it } from 'vitest';
import { createInvites } from './invites.ts';

type Invite = Readonly<Record<string, unknown>> & {
  readonly type: number;
  readonly guild?: Readonly<Record<string, unknown>>;
};

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const invites = createInvites({ seed: 's', notFoundShare: 0.08, now: () => NOW_MS });
const find = (code: string, withCounts = false) => invites.find(code, withCounts) as Invite | undefined;
const many = Array.from({ length: 2_000 }, (_, n) => find(`code${n}`) ?? []).flat();

describe('generated invites', () => {
  it('differ in everything that a client must cope with', () => {
    const traits: ((invite: Invite) => boolean)[] = [
      ({ type }) => type === 0,
      ({ type }) => type === 1,
      ({ type }) => type === 2,
      ({ expires_at }) => expires_at === null,
      ({ expires_at }) => Date.parse(String(expires_at)) > NOW_MS,
      (invite) => 'inviter' in invite,
      (invite) => !('inviter' in invite),
      ({ flags }) => flags === 1,
      ({ guild }) => guild?.['icon'] === null,
      ({ guild }) => String(guild?.['icon']).startsWith('a_'),
      ({ guild }) => typeof guild?.['banner'] === 'string',
      ({ guild }) => typeof guild?.['description'] === 'string',
      ({ guild, code }) => guild?.['vanity_url_code'] === code,
    ];
    for (const trait of traits)
      expect(many.filter(trait).length / many.length, trait.toString()).toBeGreaterThan(0.005);
  });

  it('are the same every time, with their counts only if asked for', () => {
    for (const code of ['code1', 'group', 'friend', 'guest', 'whoflake']) {
      const withCounts = find(code, true);
      expect(find(code)).toEqual(find(code));
      expect(withCounts).toMatchObject(find(code) ?? {});
    }
    expect(find('group', true)).toHaveProperty('approximate_member_count');
    expect(find('group')).not.toHaveProperty('approximate_member_count');
  });

  it('include one of each unusual kind by name', () => {
    expect(find('group')).toMatchObject({ type: 1, channel: { type: 3 } });
    expect(find('friend')).toMatchObject({ type: 2, channel: null });
    expect(find('guest')).toMatchObject({ type: 0, flags: 1, channel: { type: 2 } });
    for (const code of ['group', 'friend', 'guest']) expect(find(code)).toHaveProperty('inviter.id');
  });

  it('lead to a server once they are pointed at one', () => {
    const taken = createInvites({ seed: 's', notFoundShare: 0, now: () => NOW_MS });
    taken.setGuild('group', '42');
    expect(taken.find('group', false)).toMatchObject({ type: 0, guild_id: '42', guild: { id: '42' } });
  });
});
