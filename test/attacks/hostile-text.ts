import type { Dice } from './dice.ts';

const ID = '441997505123577857';

const IDS = [
  ...`<@${ID}> -${ID} ${ID}.0 4.41997505123577857e17 0x6224b7d4b420001 0 9223372036854775807 9223372036854775808`.split(
    ' ',
  ),
  ...'18446744073709551616 ٤٤١٩٩٧٥٠٥١٢٣٥٧٧٨٥٧ ４４１９９７５０５１２３５７７８５７ ²³¹ @me ../users/@me NaN Infinity null'.split(
    ' ',
  ),
  ` ${ID}\n`,
  `${ID}\u200b`,
  `\u202e${ID}`,
  `${ID}\u0000`,
  `${ID}/../@me`,
  `${ID}%2f..`,
  '9'.repeat(3_000),
];

/** What breaks out of quotes, tags, paths, queries, headers, logs and prototypes elsewhere. */
const INJECTIONS = [
  ...'{{7*7}} ${7*7} $(reboot) `reboot` ../../../../etc/passwd javascript:alert(1) //evil.example %s%n'.split(
    ' ',
  ),
  ...'__proto__ constructor toString hasOwnProperty %0d%0aSet-Cookie:%20a=b \u0000 \u001b[2J \ud800 \ufeff'.split(
    ' ',
  ),
  `"><script>alert(1)</script>`,
  `'; DROP TABLE tokens; --`,
  String.raw`..\..\windows\win.ini`,
  '\r\nX-Injected: 1',
  'z\u0335\u0321\u0348\u0301'.repeat(20),
  '👩‍👩‍👧‍👦'.repeat(10),
  'a'.repeat(2_000),
  '',
  ' ',
];

const UNITS = ['a', 'Z', '0', '"', '\\', '/', '\n', '\u0000', 'é', '漢', '🦊', '\u202e', '\ud83d', '%', '&'];

export const hostileText = (dice: Dice): string =>
  dice.chance(0.5) ? dice.pick(INJECTIONS) : dice.several(40, () => dice.pick(UNITS)).join('');

/** Good often enough for what comes after the id to be reached. */
export const hostileId = (dice: Dice): string =>
  dice.pick([() => ID, () => ID, () => dice.pick(IDS), () => hostileText(dice)])();

const deep = (dice: Dice): unknown => {
  let value: unknown = hostileText(dice);
  for (let depth = dice.below(60); depth > 0; depth -= 1) value = dice.chance(0.5) ? [value] : { a: value };
  return value;
};

export const hostileValue = (dice: Dice): unknown =>
  dice.pick<() => unknown>([
    () => null,
    () => dice.chance(0.5),
    () => dice.below(2 ** 32),
    () => dice.pick([-1, -0, 0.5, 1e21, 1e308, 2 ** 53, 2 ** 63]),
    () => hostileText(dice),
    () => hostileId(dice),
    () => dice.several(4, () => hostileText(dice)),
    () => ({ [hostileText(dice)]: hostileText(dice) }),
    () => deep(dice),
  ])();

/** The text with some of its bytes turned, cut, doubled or made up. */
export const mutateBytes = (dice: Dice, text: string | Uint8Array): Buffer => {
  let bytes: Buffer = Buffer.from(text);
  for (let edits = 1 + dice.below(3); edits > 0; edits -= 1) {
    const [from, to] = [dice.below(bytes.length + 1), dice.below(bytes.length + 1)];
    const [before, after] = [bytes.subarray(0, from), bytes.subarray(from)];
    bytes = dice.pick<() => Buffer>([
      () => Buffer.concat([before, dice.bytes(1 + dice.below(4)), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(1 + dice.below(8))]),
      () => Buffer.concat([before, dice.bytes(dice.below(8)), after]),
      () => Buffer.concat([bytes.subarray(0, Math.max(from, to)), bytes.subarray(Math.min(from, to))]),
      () => before,
    ])();
  }
  return bytes;
};
