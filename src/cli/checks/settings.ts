import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { settingNames, type Config } from '#server/config.ts';
import { parseDatabaseUrl } from '#server/storage/postgres/database-url.ts';
import type { State } from '../output.ts';
import { nearest } from '../usage/nearest.ts';

type SettingsFile = { readonly path: string; readonly text: string };

export type SettingsSource = {
  /** Null if all settings come from the environment. */
  readonly file: SettingsFile | null;
  /** With secrets that others on this machine can read. */
  readonly exposed: readonly string[];
};

/** `failed`: the server would not start. `warning`: it would, but probably not as intended. */
type SettingProblem = { readonly state: Exclude<State, 'ok'>; readonly finding: string };

/** Not read by the server, but by Node, systemd or compose. */
const OTHER_NAMES = ['NODE_ENV', 'WHOFLAKE_ENV_FILE', 'COMPOSE_PROJECT_NAME'];

/** No sentence shows a value: it may be a secret, under its own name, a misspelt one or that of another setting. */
export const findSettingProblems = (
  config: Config,
  { file, exposed }: SettingsSource,
): readonly SettingProblem[] => [
  ...portsUsedTwice(config).map((finding) => ({ state: 'failed', finding }) as const),
  ...[
    ...suspicions(config),
    ...exposed.map((path) => `${path}: others can read the secrets in it; run chmod o-r on it.`),
    ...(file === null ? [] : unknownSettings(file)),
  ].map((finding) => ({ state: 'warning', finding }) as const),
];

const unknownSettings = ({ path, text }: SettingsFile): string[] => {
  const known = [...settingNames(), ...OTHER_NAMES];
  const lines = text.split('\n').map((line) => /^\s*(?:export\s+)?([^\s=]*)/.exec(line)?.[1]);
  return Object.keys(parseEnv(text))
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name.toUpperCase(), known);
      // Anything else may be part of a secret.
      const isName = /^[A-Z]+(?:_[A-Z]+)*$/.test(name);
      const remedy = meant === undefined ? 'check the spelling, or delete it' : `did you mean ${meant}?`;
      return `${isName ? `${name}: unknown setting` : 'Not a setting'}; ${remedy} (line ${lines.indexOf(name) + 1} of ${path})`;
    });
};

const portsUsedTwice = ({ listen, admin }: Config): string[] =>
  listen.port === admin.port && listen.port !== 0 && overlap(listen.host, admin.host)
    ? [`PORT and ADMIN_PORT: both are ${admin.port}; change one of them.`]
    : [];

const overlap = (host: string, other: string): boolean =>
  host === other || [host, other].some((name) => isIP(name) === 0 || ['0.0.0.0', '::'].includes(name));

const UNENCRYPTED =
  'DATABASE_URL: passwords and data cross a network unencrypted; unless it is your own, use sslmode=verify-full.';
const NO_PROXY =
  'TRUSTED_PROXIES: expected the address of your HTTPS proxy, such as 127.0.0.1/32; without it, all visitors share one rate limit.';

const suspicions = (config: Config): string[] => {
  const { protocol, pathname } = new URL(config.publicUrl);
  const database = parseDatabaseUrl(config.databaseUrl?.reveal() ?? '');
  return [
    pathname !== '/' && 'PUBLIC_URL: pages are only served from the root of a site; remove the path.',
    protocol === 'https:' && config.trustedProxies.length === 0 && NO_PROXY,
    database.ok && database.isExposed && UNENCRYPTED,
    config.contactEmail === '' &&
      'CONTACT_EMAIL: not set, so the pages name no way to reach you; a public site must have one.',
    config.paymentUrl === null && 'PAYMENT_URL: not set, so nobody can donate money.',
  ].filter((sentence) => sentence !== false);
};
