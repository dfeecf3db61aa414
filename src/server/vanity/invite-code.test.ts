import { expect, it } from 'vitest';
import { parseInviteCode } from './invites.ts';

it.each([
  'abc-DEF1',
  ' abc-DEF1 ',
  'discord.gg/abc-DEF1',
  'https://discord.gg/abc-DEF1/',
  'http://www.discord.gg/abc-DEF1',
  'https://discord.com/invite/abc-DEF1',
  'https://discordapp.com/invite/abc-DEF1',
  'HTTPS://DISCORD.GG/abc-DEF1',
])('an invite is taken from %s', (text) => expect(parseInviteCode(text)).toBe('abc-DEF1'));

it.each([
  '',
  'a',
  'x'.repeat(33),
  'https://discord.gg/',
  'https://discord.gg.example.org/abc',
  'https://example.org/discord.gg/abc',
  'https://user@discord.gg/abc',
  'https://discord.gg/abc/def',
  'https://discord.gg/abc?x=1',
  'https://discord.gg/%61bc',
  'https://discord.com/abc',
  'javascript:abc',
  '//discord.gg/abc',
  '../abc',
  'ab\nc',
  'аbc',
])('an invite is not taken from %j', (text) => expect(parseInviteCode(text)).toBeNull());
