import { METHODS } from 'node:http';
import { PAGE_ROUTES } from '#test/support/registered-routes.ts';
import type { WidgetProof } from '#test/support/solve-challenge.ts';
import type { Dice } from './dice.ts';
import { hostileId, hostileText, hostileValue, mutateBytes } from './hostile-text.ts';
import { mutateProof } from './proof-fuzz.ts';

export type HostileRequest =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  /** Bytes that need not be HTTP. */
  | { readonly kind: 'raw'; readonly bytes: Buffer };

/** Solved and already spent, so that no mutation of them, however lucky, can start a lookup. */
export type SpentProofs = readonly [WidgetProof, WidgetProof];

const OTHER_ROUTES = `/lookup /challenge /donate-token /withdraw-token /status.json /healthz /openapi.json
  /picture/* /.well-known/security.txt`.split(/\s+/);

/** Every route, whatever it is for; a test compares this list with the server's own. */
export const ROUTES = [...PAGE_ROUTES, ...OTHER_ROUTES];

const OTHER_PATHS =
  '/de /ar/donate /zh/:name /assets/ /badges/ /robots.txt /favicon.ico /metrics /.env *'.split(' ');
/** A client takes the answer to CONNECT for a tunnel. */
const CLIENT_METHODS = METHODS.filter((method) => method !== 'CONNECT');
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': ['application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain', ';', ''],
  'accept-encoding': ['br;q=0, gzip', '*'],
  'if-none-match': ['W/"x", "y"', '*'],
  'sec-fetch-site': ['cross-site', 'same-origin', 'x'],
  'x-forwarded-for': ['127.0.0.1', '::1, 10.0.0.1'],
};
const HEADER_NAMES = `${Object.keys(HEADERS).join(' ')} __proto__ constructor accept authorization cookie
  forwarded if-modified-since origin range referer te via x-http-method-override x-original-url`.split(/\s+/);

/** What an HTTP client can send in a header, of whatever text. */
const asHeaderValue = (text: string): string =>
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 1_500);

const inHex = (char: string): string => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
const asPath = (text: string): string =>
  Buffer.from(text.slice(0, 500))
    .toString('latin1')
    .replaceAll(/[^\x21-\x7e]/g, inHex);

const path = (dice: Dice): string => {
  const route = dice.chance(0.75) ? dice.pick(ROUTES) : dice.pick(OTHER_PATHS);
  return dice.pick<() => string>([
    () => route,
    () => `${route}?id=${asPath(hostileId(dice))}`,
    () => `${route}?${asPath(hostileText(dice))}=${asPath(hostileText(dice))}&id=1&id[]=2&__proto__[x]=1`,
    () => `${route}/${asPath(hostileText(dice))}`,
    () => `/${asPath(hostileText(dice))}`,
    () => route.replaceAll(/[a-z]/g, inHex),
    () => `${dice.pick(['/..', '//evil.example'])}${route}`,
    () => `${route}${dice.pick(['%zz', '%', '%00', ';x', '%2f..', '#', '\\', '%ff'])}`,
  ])();
};

/** Computed, so that `__proto__` is a header like the others. */
const headers = (dice: Dice): Record<string, string> =>
  Object.fromEntries(
    dice.several(5, () => {
      const name = dice.pick(HEADER_NAMES);
      const known = Object.hasOwn(HEADERS, name) && dice.chance(0.7) ? HEADERS[name] : undefined;
      return [name, known ? dice.pick(known) : asHeaderValue(hostileText(dice))];
    }),
  );

const body = (dice: Dice, [proof, other]: SpentProofs): Buffer => {
  const lookup = {
    discord_id: hostileId(dice),
    proof: dice.chance(0.8) ? mutateProof(dice, proof, other) : hostileValue(dice),
  };
  const json = JSON.stringify(lookup);
  if (dice.chance(0.5)) return Buffer.from(json);
  return dice.pick<() => Buffer>([
    () => mutateBytes(dice, json),
    () => Buffer.from(JSON.stringify({ ...lookup, discord_id: hostileValue(dice) })),
    () => Buffer.from(JSON.stringify({ ...lookup, [hostileText(dice)]: hostileValue(dice) })),
    () => Buffer.from(JSON.stringify(hostileValue(dice))),
    () =>
      Buffer.from(json.replace('{', dice.pick(['{"__proto__":{"polluted":1},', '{"discord_id":"1",', '{{']))),
    () => Buffer.from(json, 'utf16le'),
    () => dice.bytes(dice.below(64)),
    () => Buffer.alloc(dice.pick([0, 4_096, 4_097, 8_000]), dice.pick(['{', '[', ' ', '"', '9'])),
  ])();
};

const ACTIONS = [
  ['/lookup', 'discord_id'],
  ['/donate-token', 'token'],
  ['/withdraw-token', 'receipt'],
] as const;

const rawBytes = (dice: Dice, proofs: SpentProofs): Buffer => {
  const lines = [
    `${dice.pick([...METHODS, 'BREW', 'PRI'])} ${path(dice)} HTTP/${dice.pick(['1.1', '1.0', '2.0', '9'])}`,
    dice.pick(['Host: localhost', 'Host: a\r\nHost: b', 'Host:', '']),
    dice.pick([
      'Content-Length: 2',
      'Content-Length: 99',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
    ]),
    dice.pick(['Expect: 100-continue', 'Expect: x', 'Upgrade: h2c\r\nConnection: upgrade', ' x']),
    `X-Filler: ${'x'.repeat(dice.pick([0, 1, 9_000]))}`,
    'Content-Type: application/json',
  ];
  const request = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body(dice, proofs)]);
  return dice.chance(0.5) ? request : mutateBytes(dice, request);
};

export const hostileRequest = (dice: Dice, proofs: SpentProofs): HostileRequest => {
  if (dice.chance(0.1)) return { kind: 'raw', bytes: rawBytes(dice, proofs) };
  if (dice.chance(0.5)) {
    // Well-formed as far as the handler, which is where the interesting refusals are.
    const type = { 'content-type': 'application/json' };
    const [path, field] = dice.pick(ACTIONS);
    const text = body(dice, proofs).toString('latin1').replaceAll('discord_id', field);
    return { kind: 'http', method: 'POST', path, headers: type, body: Buffer.from(text, 'latin1') };
  }
  const method = dice.pick(CLIENT_METHODS);
  const withBody = method !== 'TRACE' && dice.chance(0.5);
  const sent = withBody ? body(dice, proofs) : Buffer.alloc(0);
  return { kind: 'http', method, path: path(dice), headers: headers(dice), body: sent };
};
