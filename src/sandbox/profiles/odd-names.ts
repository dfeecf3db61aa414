import type { UserObject } from './user-object.ts';

type Names = Pick<UserObject, 'username' | 'global_name'>;

const ZALGO =
  'z\u0335\u0321\u0348\u0301a\u0337\u0328\u0310\u0354l\u0334\u0327\u0306\u0347g\u0336\u031b\u030a\u0349o\u0338\u0322\u0352\u0330';

/** Names that deceive, and names that break pages. */
export const ODD_NAMES: readonly (readonly [label: string, id: string, names: Names])[] = [
  [
    'Markup in the name',
    '562079002580217867',
    {
      username: 'script.kiddo',
      global_name: '<img src=x onerror=alert(1)><b>&lt;"\'`',
    },
  ],
  [
    'Right-to-left override',
    '562079254238457868',
    {
      username: 'gpj.exe',
      global_name: 'photo\u202egnp.exe\u2066 منقول',
    },
  ],
  [
    'Zero-width characters',
    '562079505896697869',
    {
      username: 'hollow',
      global_name: '\u200b\u2060ad\u200dmin\ufeff\u00ad\u200f',
    },
  ],
  [
    'Letters of two scripts',
    '562079757554937880',
    {
      username: 'admln',
      // The first two letters are Cyrillic.
      global_name: '\u0410\u0501min',
    },
  ],
  ['Stacked accents', '562079757554937870', { username: 'zalgo', global_name: ZALGO.repeat(8) }],
  [
    'Very long name',
    '562080009213177871',
    {
      username: 'w'.repeat(512),
      global_name: '𝕎'.repeat(5_000),
    },
  ],
  ['Empty display name', '562080260871417872', { username: 'nameless', global_name: '' }],
];
