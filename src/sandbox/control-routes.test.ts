import { describe, expect, it } from 'vitest';
import { startSandbox } from '#test/support/sandbox-client.ts';

describe('steering over HTTP', () => {
  it('replaces the faults that were set, and refuses what is none', async () => {
    await using server = await startSandbox();
    const put = (body: object) => server.get(`${server.cdnUrl}/_sandbox/faults`, { method: 'PUT', body });
    expect((await put({ status: { value: 503, count: 1 } })).json()).toEqual({
      status: { value: 503, count: 1 },
    });
    expect((await server.get('/users/@me')).status).toBe(503);
    expect((await put({ html200: true })).json()).toEqual({ html200: { value: true } });
    expect((await put({ hang: 'long' })).text).toBe(
      '{"error":"The fault \\"hang\\" does not take \\"long\\"."}',
    );
    expect((await put({})).json()).toEqual({});
    expect((await server.get('/users/@me')).status).toBe(200);
  });

  it('mints tokens, changes invites and tells the statistics', async () => {
    await using server = await startSandbox();
    const control = (method: 'POST' | 'PUT', path: string, body: object) =>
      server.get(`${server.cdnUrl}/_sandbox/${path}`, { method, body });
    expect((await control('POST', 'tokens', { count: 2, from: 5 })).json()).toEqual({
      tokens: [server.sandbox.mintToken(5), server.sandbox.mintToken(6)],
    });
    await control('PUT', 'invite', { code: 'lantern', guild_id: '42' });
    expect((await server.get('/invites/lantern')).json()).toMatchObject({ guild_id: '42' });
    await control('PUT', 'invite', { code: 'lantern', guild_id: null });
    expect((await server.get('/invites/lantern')).status).toBe(404);
    expect((await control('PUT', 'invite', {})).status).toBe(400);
    expect((await server.get(`${server.cdnUrl}/_sandbox/stats`)).json()).toEqual(
      JSON.parse(JSON.stringify(server.sandbox.stats())),
    );
  });

  it('refuses what a foreign web page could send', async () => {
    await using server = await startSandbox();
    const url = `${server.cdnUrl}/_sandbox/invite`;
    const body = '{"code":"lantern","guild_id":null}';
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(400);
    expect((await server.get('/invites/lantern')).status).toBe(200);
    expect((await server.get(`${server.cdnUrl}/_sandbox/nothing`)).status).toBe(404);
  });
});
