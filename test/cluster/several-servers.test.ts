// @module-tag slow
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { AppError } from '#server/app-error.ts';
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

const botOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
const usesOf = (token: string): number => sandbox.stats().byBot[botOf(token)] ?? 0;
let lookedUp = 0;
/** Others each time, so that no cache answers. */
const newIds = (count: number): string[] => distinctIds(count, (lookedUp += count));

const begin = async (more: Readonly<Record<string, string>> = {}) => {
  const { env } = await beginSite(await (await postgres()).newDatabase(), more);
  return { ...platform, env };
};

it.skipIf(POSTGRES_MISSING !== null)(
  'two servers lend each other’s tokens, use none that was taken back, take a proof of either once, and show the same figures',
  { timeout: 180_000 },
  async () => {
    const site = await begin();
    const statusOf = async (node: TestNode) => (await node.ask('/status.json')).json<Status>();
    const servedBy = ({ last_24_hours }: Status) =>
      last_24_hours.reduce((sum, { served }) => sum + served, 0);
    let served = 0;
    {
      await using one = await startTestNode(site);
      await using other = await startTestNode(site);
      const nodes = [one, other];
      const lookUpInTurn = async (count: number): Promise<string[]> => {
        const all = newIds(count).map((id, n) => (nodes[n % 2] ?? one).lookUp(id));
        const verdicts = (await Promise.all(all)).map(verdictOf);
        served += verdicts.filter((verdict) => verdict === '200').length;
        return verdicts;
      };
      expect(await lookUpInTurn(2)).toEqual(['503 pool-empty', '503 pool-empty']);
      const [kept, lent] = [sandbox.mintToken(21), sandbox.mintToken(22)];
      expect((await one.donate(kept)).status).toBe(201);
      const { status, receipt } = await one.donate(lent);
      expect(status).toBe(201);
      await becomeHealthy(nodes, 2);
      // Two uses are the checks of the donation.
      while (usesOf(kept) <= 2 || usesOf(lent) <= 2) await lookUpInTurn(2);

      // The first try loses PostgreSQL after its proof, and may be repeated.
      const remove = vi.spyOn(other.app.pool, 'remove');
      remove.mockRejectedValueOnce(new AppError('store-unavailable'));
      expect(await other.withdraw(receipt)).toBe(503);
      const looking = lookUpInTurn(6);
      expect(await other.withdraw(receipt)).toBe(200);
      const before = usesOf(lent);
      await looking;
      expect(await lookUpInTurn(6)).toContain('200');
      expect(usesOf(lent)).toBe(before);
      await becomeHealthy(nodes, 1);

      const proof = await one.proof();
      const [discord_id = ''] = newIds(1);
      const uses = [];
      for (const node of [other, one, other])
        uses.push(verdictOf(await node.post('/lookup', { discord_id, proof })));
      expect(uses).toEqual(['200', '403 proof-used', '403 proof-used']);
      served += 1;
      const compare = async (): Promise<void> => {
        const [here, there] = [await statusOf(one), await statusOf(other)];
        expect(there.last_24_hours).toEqual(here.last_24_hours);
        expect(servedBy(here)).toBe(served);
      };
      await vi.waitFor(compare, EVENTUALLY);
    }
    await using next = await startTestNode(site);
    expect(servedBy(await statusOf(next))).toBe(served);
  },
);

it.skipIf(POSTGRES_MISSING !== null)(
  'servers that share PostgreSQL refuse while it is gone, serve pages, go on by themselves, and leave nothing about visitors in it',
  { timeout: 180_000 },
  async () => {
    const site = await begin({ BOT_TOKENS: sandbox.mintToken(2) });
    await using one = await startTestNode(site);
    const [id = '', later = ''] = newIds(2);
    expect(verdictOf(await one.lookUp(id))).toBe('200');

    const { rows } = await sql<{ all: string }>`
      select database_to_xml(true, true, '')::text as all`.execute(one.records.database);
    expect(rows[0]?.all).toContain('<spent_proof>');
    expect(rows[0]?.all).not.toMatch(/127\.0\.0\.1|127\.0\.0\.0|MTI3LjAuMC4/);

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
    const refused = async () =>
      (await one.ask('/status.json'))
        .json<Status>()
        .last_24_hours.reduce((sum, hour) => sum + hour.refused, 0);
    // A challenge and a lookup, at least.
    expect(await refused()).toBeGreaterThanOrEqual(2);
    // It was killed: the keys are gone, and what they signed is void.
    expect(verdictOf(await one.post('/lookup', { discord_id: later, proof }))).toBe('403 proof-invalid');
  },
);
