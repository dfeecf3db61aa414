// @module-tag slow
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { createVisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Status } from '#shared/contract/status.ts';
import { readAdmin } from '#test/support/admin-client.ts';
import { useOwnPostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import {
  becomeHealthy,
  beginSite,
  startTestNode,
  useNodePlatform,
  type TestNode,
} from '#test/support/test-node.ts';

const postgres = useOwnPostgres();
const platform = await useNodePlatform({ notFoundShare: 0 });
const { sandbox } = platform;

const RATES = { challengesPerMinute: 1, lookupsPerMinute: 1, lookupsPerDay: 1 };

const botOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
const usesOf = (token: string): number => sandbox.stats().byBot[botOf(token)] ?? 0;

const begin = async (more: Readonly<Record<string, string>> = {}) => {
  const { env } = await beginSite(await (await postgres()).newDatabase(), more);
  return { ...platform, env };
};

describe.skipIf(POSTGRES_MISSING !== null)('two servers on one PostgreSQL', () => {
  it('lend each other’s tokens, and neither uses one that was taken back', async () => {
    const site = await begin();
    await using one = await startTestNode(site);
    await using other = await startTestNode(site);
    const nodes = [one, other];
    const [kept, lent] = [sandbox.mintToken(21), sandbox.mintToken(22)];
    expect((await one.donate(kept)).status).toBe(201);
    const { status, receipt } = await one.donate(lent);
    expect(status).toBe(201);
    await becomeHealthy(nodes, 2);
    for (const id of distinctIds(2)) expect(verdictOf(await other.lookUp(id))).toBe('200');
    expect([usesOf(kept) > 2, usesOf(lent) > 2]).toEqual([true, true]);

    const looking = Promise.all(distinctIds(6, 10).map((id, n) => (nodes[n % 2] ?? one).lookUp(id)));
    expect(await other.withdraw(receipt)).toBe(200);
    const before = usesOf(lent);
    await looking;
    const later = await Promise.all(distinctIds(6, 20).map((id, n) => (nodes[n % 2] ?? one).lookUp(id)));
    expect(later.some((answer) => verdictOf(answer) === '200')).toBe(true);
    expect(usesOf(lent)).toBe(before);
    await becomeHealthy(nodes, 1);
  });

  it('let a withdrawal be repeated that lost PostgreSQL after its proof', async () => {
    const site = await begin();
    await using one = await startTestNode(site);
    await using other = await startTestNode(site);
    const lent = sandbox.mintToken(23);
    const { receipt } = await one.donate(lent);
    await becomeHealthy([one, other], 1);
    const remove = vi.spyOn(one.app.pool, 'remove').mockRejectedValue(new AppError('store-unavailable'));
    expect(await one.withdraw(receipt)).toBe(503);
    remove.mockRestore();
    expect(await one.withdraw(receipt)).toBe(200);
    await becomeHealthy([one, other], 0);
    const before = usesOf(lent);
    for (const node of [one, other])
      expect(verdictOf(await node.lookUp(distinctIds(1, 30)[0] ?? ''))).toBe('503 pool-empty');
    expect(usesOf(lent)).toBe(before);
  });

  it('take a proof of either, once, and say at once that there is no token, where only the other has one', async () => {
    const site = await begin();
    await using one = await startTestNode(site);
    await using other = await startTestNode({
      ...site,
      env: { ...site.env, BOT_TOKENS: sandbox.mintToken(0) },
    });
    await vi.waitFor(() => expect(one.app.pool.counts().healthy).toBe(1), EVENTUALLY);
    const [id = '', another = ''] = distinctIds(2, 40);
    expect(verdictOf(await one.lookUp(id))).toBe('503 pool-empty');
    const proof = await one.proof();
    expect(verdictOf(await other.post('/lookup', { discord_id: another, proof }))).toBe('200');
    for (const node of [one, other])
      expect(verdictOf(await node.post('/lookup', { discord_id: another, proof }))).toBe('403 proof-used');
  });

  it('show the same figures, which outlive both', async () => {
    const site = await begin({ BOT_TOKENS: sandbox.mintToken(1) });
    const statusOf = async (node: TestNode) => (await node.ask('/status.json')).json<Status>();
    const servedBy = (status: Status) => status.last_24_hours.reduce((sum, { served }) => sum + served, 0);
    {
      await using one = await startTestNode(site);
      await using other = await startTestNode(site);
      for (const [n, id] of distinctIds(4, 50).entries()) await (n % 2 ? one : other).lookUp(id);
      for (const node of [one, other])
        await vi.waitFor(async () => expect(servedBy(await statusOf(node))).toBe(4), EVENTUALLY);
      const compare = async (): Promise<void> => {
        const [here, there] = await Promise.all([statusOf(one), statusOf(other)]);
        expect(there.last_24_hours).toEqual(here.last_24_hours);
      };
      await vi.waitFor(compare, EVENTUALLY);
    }
    await using next = await startTestNode(site);
    const after = await statusOf(next);
    expect([servedBy(after), after.lookups_last_hour.served]).toEqual([4, 4]);
  });

  it('leave nothing in it that tells anybody without the keyring whether an address has been here', async () => {
    const site = await begin({ BOT_TOKENS: sandbox.mintToken(3) });
    await using node = await startTestNode(site);
    expect(verdictOf(await node.lookUp(distinctIds(1, 70)[0] ?? ''))).toBe('200');
    const { rows } = await sql<{ all: string }>`
      select database_to_xml(true, true, '')::text as all`.execute(node.records.database);
    const texts = rows[0]?.all.split(/[<>\s]+/) ?? [];
    expect(texts).toContain('visitor_count');
    const isCounted = (secret: string): boolean => {
      const limits = createVisitorLimits(() => secret, RATES);
      const { counters } = limits.visitOf('lookup', '127.0.0.1');
      return counters.some(({ key }) => texts.includes(Buffer.from(key, 'hex').toString('base64')));
    };
    expect(texts.filter(isCounted)).toEqual([]);
    // With it one can; by now it may be another day.
    const today = Math.floor(Date.now() / 86_400_000);
    expect([today - 1, today].map(node.records.vault.visitorSecret).some(isCounted)).toBe(true);
  });

  it('refuse while PostgreSQL is gone, serve pages, and go on by themselves', async () => {
    const site = await begin({ BOT_TOKENS: sandbox.mintToken(2) });
    await using one = await startTestNode(site);
    const [id = '', later = ''] = distinctIds(2, 60);
    expect(verdictOf(await one.lookUp(id))).toBe('200');
    const proof = await one.proof();
    const server = await postgres();
    await server.stop();
    await vi.waitFor(async () => {
      expect(verdictOf(await one.ask('/challenge'))).toBe('503 store-unavailable');
      expect((await readAdmin(one.app, '/readyz')).status).toBe(503);
    }, EVENTUALLY);
    expect(verdictOf(await one.post('/lookup', { discord_id: id, proof }))).toBe('503 store-unavailable');
    expect((await one.ask('/')).statusCode).toBe(200);
    expect((await one.ask('/status.json')).json<Status>().paused?.cause).toBe('store-unavailable');
    await server.restart();
    await vi.waitFor(async () => expect(verdictOf(await one.lookUp(later))).toBe('200'), EVENTUALLY);
    // It was killed: the keys are gone, and what they signed is void.
    expect(verdictOf(await one.post('/lookup', { discord_id: later, proof }))).toBe('403 proof-invalid');
  });
});
