import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '#test/support/any-text.ts';
import {
  composeSnowflake,
  decodeSnowflake,
  isPlausibleId,
  parseAccountId,
  parseSnowflake,
  snowflakeCreatedMs,
  type Snowflake,
} from './snowflake.ts';

const NOW_MS = 1_794_700_000_000;
const parse = (text: string) => parseSnowflake(text, NOW_MS);
const idAt = (createdMs: number, low = 0n) =>
  ((BigInt(createdMs - 1_420_070_400_000) << 22n) | low).toString();

it.each([
  '175928847299117063',
  ' 175928847299117063 ',
  '<@175928847299117063>',
  '<@!175928847299117063>',
  'https://discord.com/users/175928847299117063',
  'http://www.discord.com/users/175928847299117063/',
  'https://ptb.discord.com/users/175928847299117063?x=1',
  'https://canary.discordapp.com/users/175928847299117063#top',
  'discord.com/users/175928847299117063',
  'discord://-/users/175928847299117063',
])('the id is found in %j', (text) => expect(parse(text)).toEqual({ ok: true, id: '175928847299117063' }));

it.each([
  ['', 'missing'],
  ['\t \n', 'missing'],
  ['0', 'zero'],
  ['000000000000000000', 'zero'],
  ['9223372036854775808', 'too-large'],
  ['1'.repeat(4_000), 'too-large'],
  ['9223372036854775807', 'future'],
  ['0123', 'malformed'],
  ['-1', 'malformed'],
  ['1e18', 'malformed'],
  ['1.0', 'malformed'],
  ['175928847299117063n', 'malformed'],
  ['<@&175928847299117063>', 'malformed'],
  ['<#175928847299117063>', 'malformed'],
  ['<@175928847299117063', 'malformed'],
  ['１７５９２８', 'malformed'],
  ['٣٤٥', 'malformed'],
  ['https://discord.com.evil.example/users/175928847299117063', 'malformed'],
  ['175928847299117063\u200b', 'malformed'],
])('%j is no id', (text, problem) => expect(parse(text)).toEqual({ ok: false, problem }));

it('an id may come from a clock that is a minute ahead, and no more', () => {
  expect(parse(idAt(NOW_MS + 60_000)).ok).toBe(true);
  expect(parse(idAt(NOW_MS + 60_001))).toEqual({ ok: false, problem: 'future' });
});

it('no text throws, and what is accepted is a plain number in range', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.bigInt().map(String)), (text) => {
      const parsed = parse(text);
      if (!parsed.ok) return;
      expect(parsed.id).toMatch(/^[1-9]\d{0,18}$/);
      expect(snowflakeCreatedMs(parsed.id)).toBeLessThanOrEqual(NOW_MS + 60_000);
    }),
  );
});

it('the platform’s own example is taken apart', () => {
  expect(decodeSnowflake('175928847299117063' as Snowflake)).toEqual({
    createdMs: Date.UTC(2016, 3, 30, 11, 18, 25, 796),
    worker: 1,
    process: 0,
    increment: 7,
  });
});

it('no bit of an id is lost', () => {
  const parts = { worker: fc.nat(31), process: fc.nat(31), increment: fc.nat(4_095) };
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.record(parts), (ms, { worker, process, increment }) => {
      const id = (BigInt(ms) << 22n) | BigInt((worker << 17) | (process << 12) | increment);
      const createdMs = ms + 1_420_070_400_000;
      expect(decodeSnowflake(`${id}` as Snowflake)).toEqual({ createdMs, worker, process, increment });
    }),
  );
});

it('an id taken apart is undone by composing', () => {
  const id = '175928847299117063' as Snowflake;
  expect(composeSnowflake(snowflakeCreatedMs(id), Number(BigInt(id) & 0x3f_ffffn))).toBe(id);
});

it('an account’s id is an id of at least seventeen digits', () => {
  expect(parseAccountId('<@10000000000000000>', NOW_MS)).toBe('10000000000000000');
  expect(['9999999999999999', '1'.repeat(20), 'x'].map((text) => parseAccountId(text, NOW_MS))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('an id of the platform is plausible with fifteen to nineteen digits, as a text', () => {
  const plausible = ['1'.repeat(15), '9'.repeat(19)];
  const odd = ['1'.repeat(14), '1'.repeat(20), `0${'1'.repeat(15)}`, `${'1'.repeat(15)}\n`, 1e15, null];
  expect([...plausible, ...odd].filter(isPlausibleId)).toEqual(plausible);
});
