import type { Dice } from './dice.ts';

const ID = '441997505123577857';

const IDS = [
  ID,
  `<@${ID}>`,
  `https://discord.com/users/${ID}`,
  ` ${ID}\n`,
  `-${ID}`,
  `+${ID}`,
  `${ID}.0`,
  '4.41997505123577857e17',
  '0x6224b7d4b420001',
  '0',
  '00000000000000000000',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(3_000),
  '٤٤١٩٩٧٥٠٥١٢٣٥٧٧٨٥٧',
  '४४१९९७५०५१२३५७७८५७',
  '４４１９９７５０５１２３５７７８５７',
  '𝟜𝟜𝟙𝟡𝟡𝟟𝟝𝟘𝟝𝟙𝟚𝟛𝟝𝟟𝟟𝟠𝟝𝟟',
  '²³¹',
  `${ID}\u200b`,
  `\u202e${ID}`,
  `${ID}\u0000`,
  `${ID}/../@me`,
  `${ID}?x=1`,
  `${ID}%2f..`,
  '@me',
  '../users/@me',
  'NaN',
  'Infinity',
  'null',
  'undefined',
];

/** What breaks out of quotes, tags, paths, queries, headers, logs and prototypes elsewhere. */
const INJECTIONS = [
  `"><script>alert(1)</script>`,
  `' OR 1=1 --`,
  `'; DROP TABLE tokens; --`,
  '{{7*7}}',
  '${7*7}',
  '$(reboot)',
  '`reboot`',
  '../../../../etc/passwd',
  String.raw`..\..\windows\win.ini`,
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example',
  '%0d%0aSet-Cookie:%20a=b',
  '\r\nX-Injected: 1',
  '\u0000',
  '\u001b[2J',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%s%s%s%n',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
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
    bytes = dice.pick<() => Buffer>([
      () => Buffer.concat([bytes.subarray(0, from), dice.bytes(1 + dice.below(4)), bytes.subarray(from + 1)]),
      () => Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + dice.below(8))]),
      () => Buffer.concat([bytes.subarray(0, from), dice.bytes(dice.below(8)), bytes.subarray(from)]),
      () => Buffer.concat([bytes.subarray(0, Math.max(from, to)), bytes.subarray(Math.min(from, to))]),
      () => bytes.subarray(0, from),
    ])();
  }
  return bytes;
};
