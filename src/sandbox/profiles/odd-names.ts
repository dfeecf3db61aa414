import type { UserObject } from './user-object.ts';

type Names = Pick<UserObject, 'username' | 'global_name'>;

const ZALGO =
  'z\u0335\u0321\u0348\u0301a\u0337\u0328\u0310\u0354l\u0334\u0327\u0306\u0347g\u0336\u031b\u030a\u0349o\u0338\u0322\u0352\u0330';
/** The first two letters are Cyrillic. */
const TWO_SCRIPTS = '\u0410\u0501min';
const MARKUP = '<img src=x onerror=alert(1)><b>&lt;"\'`';
const OVERRIDE = 'photo\u202egnp.exe\u2066 منقول';
const ZERO_WIDTH = '\u200b\u2060ad\u200dmin\ufeff\u00ad\u200f';
const LONG = { username: 'w'.repeat(512), global_name: '𝕎'.repeat(5_000) };

export const ODD_NAMES: readonly (readonly [label: string, id: string, names: Names])[] = [
  ['Markup in the name', '562079002580217867', { username: 'script.kiddo', global_name: MARKUP }],
  ['Right-to-left override', '562079254238457868', { username: 'gpj.exe', global_name: OVERRIDE }],
  ['Zero-width characters', '562079505896697869', { username: 'hollow', global_name: ZERO_WIDTH }],
  ['Letters of two scripts', '562079757554937880', { username: 'admln', global_name: TWO_SCRIPTS }],
  ['Stacked accents', '562079757554937870', { username: 'zalgo', global_name: ZALGO.repeat(8) }],
  ['Very long name', '562080009213177871', LONG],
  ['Empty display name', '562080260871417872', { username: 'nameless', global_name: '' }],
];
