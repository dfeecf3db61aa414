import { expect, it } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { parseBotToken } from './bot-token.ts';

const token = createSandbox().mintToken(1);
const botId = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

it.each([token, ` ${token}\n`, `Bot ${token}`, `bot  ${token}`])('the bot id of %j is read', (text) => {
  const parsed = parseBotToken(text);
  expect(parsed).toMatchObject({ ok: true, token: { botId } });
  expect(parsed.ok && parsed.token.secret.reveal()).toBe(token);
});

it.each([
  ['', 'empty'],
  ['Bot ', 'empty'],
  ['mfa.abcdefghijklmnopqrstuvwxyz', 'user-token'],
  ['not.a.token', 'not-a-token'],
  [token.replace('.', ''), 'not-a-token'],
  [`${'x'.repeat(26)}.aaaaaa.${'b'.repeat(38)}`, 'not-a-token'],
  [`${token}=`, 'not-a-token'],
])('%j is no bot token', (text, problem) => expect(parseBotToken(text)).toEqual({ ok: false, problem }));
