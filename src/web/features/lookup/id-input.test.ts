import { describe, expect, it } from 'vitest';
import { readIdInput } from './id-input.ts';

describe('what the id field makes of its input', () => {
  it.each([
    ['', ''],
    ['  ', ''],
    ['175928847299117063', '175928847299117063'],
    [' 175928847299117063\n', '175928847299117063'],
    ['175 928 847 299 117 063', '175928847299117063'],
    ['\u200b175928847299117063\u2060', '175928847299117063'],
    ['<@175928847299117063>', '175928847299117063'],
    [' <@!175928847299117063> ', '175928847299117063'],
    ['https://discord.com/users/175928847299117063', '175928847299117063'],
    ['<@17592', '<@17592'],
    ['some one ', 'some one '],
  ])('shows %j as %j', (typed, text) => {
    expect(readIdInput(typed)).toEqual({ kind: 'text', text });
  });

  it('keeps nothing of a bot token', () => {
    const token = `${btoa('80351110224678912')}.GaBcDe.${'x'.repeat(38)}`.replaceAll('=', '');
    expect(readIdInput(`Bot ${token}`)).toEqual({ kind: 'bot-token' });
  });
});
