import { expect, it } from 'vitest';
import { startHttpServer } from '#test/support/http-server.ts';
import { createHttpPool } from './http-pool.ts';

it('who waits for a connection waits no longer than its deadline', async () => {
  await using server = await startHttpServer(() => {});
  const pool = createHttpPool(server.url, 1);
  const never = new AbortController();
  const first = pool.get('/', {}, never.signal).catch(() => {});
  const deadline = new AbortController();
  const second = pool.get('/', {}, deadline.signal);
  deadline.abort();
  await expect(second).rejects.toThrow();
  never.abort();
  await first;
  pool.close();
});
