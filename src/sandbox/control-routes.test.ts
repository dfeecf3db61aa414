import { describe, expect, it } from 'vitest';
import { startSandbox } from '#test/support/sandbox-client.ts';

describe('steering over HTTP', () => {
  it('replaces the faults, unless it does not understand them', async () => {
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
    expect(server.sandbox.faults.current()).toEqual({ html200: { value: true } });
    expect((await put({})).json()).toEqual({});
  });

  it('mints and revokes tokens', async () => {
    await using server = await startSandbox();
    const { cdnUrl, sandbox } = server;
    const post = (path: string, body: object) =>
      server.get(`${cdnUrl}/_sandbox/${path}`, { method: 'POST', body });
    const { tokens } = (await post('tokens', { count: 2, from: 5 })).json() as { tokens: string[] };
    expect(tokens).toEqual([sandbox.mintToken(5), sandbox.mintToken(6)]);
    const statusOf = async (token: string | undefined) =>
      (await server.get('/users/@me', { authorization: `Bot ${token}` })).status;

    await post('revoke', { token: tokens[0] });
    expect([await statusOf(tokens[0]), await statusOf(tokens[1])]).toEqual([401, 200]);
    await post('revoke', { all: true });
    expect(await statusOf(tokens[1])).toBe(401);
    expect((await post('revoke', {})).status).toBe(400);
  });

  it('changes invites, and tells the statistics', async () => {
    await using server = await startSandbox();
    const body = { code: 'lantern', guild_id: '42' };
    await server.get(`${server.cdnUrl}/_sandbox/invite`, { method: 'PUT', body });
    expect((await server.get('/invites/lantern')).json()).toMatchObject({ guild_id: '42' });
    expect((await server.get(`${server.cdnUrl}/_sandbox/stats`)).json()).toEqual(
      JSON.parse(JSON.stringify(server.sandbox.stats())),
    );
  });

  it('refuses what a foreign web page could send', async () => {
    await using server = await startSandbox();
    const answer = await fetch(`${server.cdnUrl}/_sandbox/revoke`, { method: 'POST', body: '{"all":true}' });
    expect(answer.status).toBe(400);
    expect((await server.get('/users/@me')).status).toBe(200);
    expect((await server.get(`${server.cdnUrl}/_sandbox/nothing`)).status).toBe(404);
  });
});
