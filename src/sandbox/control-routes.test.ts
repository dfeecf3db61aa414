import { expect, it } from 'vitest';
import { startSandbox } from '#test/support/sandbox-client.ts';

it('faults are set and shown over HTTP, all at once', async () => {
  await using server = await startSandbox();
  const url = `${server.cdnUrl}/_sandbox/faults`;
  await server.get(url, { method: 'PUT', body: { status: { value: 503, count: 1 } } });
  expect((await server.get(url)).json()).toEqual({ status: { value: 503, count: 1 } });
  expect((await server.get('/users/@me')).status).toBe(503);
  await server.get(url, { method: 'PUT', body: { html200: true } });
  const refused = await server.get(url, { method: 'PUT', body: { flood: true } });
  expect(refused.text).toBe('{"error":"There is no fault \\"flood\\"."}');
  expect((await server.get(url)).json()).toEqual({ html200: { value: true } });
  await server.get(url, { method: 'PUT', body: {} });
  expect((await server.get(url)).json()).toEqual({});
});

it('tokens are minted, reset and revoked over HTTP', async () => {
  await using server = await startSandbox();
  const { cdnUrl, sandbox } = server;
  const post = (path: string, body: object) =>
    server.get(`${cdnUrl}/_sandbox/${path}`, { method: 'POST', body });
  const { tokens } = (await post('tokens', { count: 2, from: 5 })).json() as { tokens: string[] };
  expect(tokens).toEqual([sandbox.mintToken(5), sandbox.mintToken(6)]);
  const statusOf = async (token: string | undefined) =>
    (await server.get('/users/@me', { authorization: `Bot ${token}` })).status;

  const { token } = (await post('reset', { token: tokens[0] })).json() as { token: string };
  expect([await statusOf(tokens[0]), await statusOf(token)]).toEqual([401, 200]);
  await post('revoke', { token });
  expect([await statusOf(token), await statusOf(tokens[1])]).toEqual([401, 200]);
  await post('revoke', { all: true });
  expect(await statusOf(tokens[1])).toBe(401);
  expect((await post('revoke', {})).status).toBe(400);
});

it('what a foreign web page could send does not steer the sandbox', async () => {
  await using server = await startSandbox();
  const answer = await fetch(`${server.cdnUrl}/_sandbox/revoke`, { method: 'POST', body: '{"all":true}' });
  expect(answer.status).toBe(400);
  expect((await server.get('/users/@me')).status).toBe(200);
  expect((await server.get(`${server.cdnUrl}/_sandbox/nothing`)).status).toBe(404);
});
