import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  createSettingReader,
  isLoopback,
  type Environment,
  type ReadFile,
  type SettingReader,
} from './setting-reader.ts';
import { createSecret, parseBotToken, type BotToken, type Secret } from './platform/bot-token.ts';
import { parseDatabaseUrl } from './storage/postgres/database-url.ts';
import { parseCidr } from './visitors/ip-address.ts';
import { DEFAULT_BRAND } from '#shared/site.ts';

export type ListenAddress = { readonly host: string; readonly port: number };

export type PlatformUrls = { readonly apiUrl: string; readonly cdnUrl: string };

export type Config = Readonly<ReturnType<typeof readConfig>>;

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** A challenge for each lookup, and some that are never used. */
const CHALLENGES_PER_LOOKUP = 3;
const MINUTES_OF_LOOKUPS_PER_DAY = 15;
const DISCORD: PlatformUrls = { apiUrl: 'https://discord.com/api/v10', cdnUrl: 'https://cdn.discordapp.com' };

export const parseConfig = (env: Environment, readFile: ReadFile): ParsedConfig => {
  const read = createSettingReader(env, readFile);
  const config = readConfig(read);
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    read.complain('NODE_TLS_REJECT_UNAUTHORIZED: unset it, or certificates would not be checked.');
  const problems = read.problems();
  return problems.length === 0 ? { ok: true, config } : { ok: false, problems };
};

export const settingNames = (): readonly string[] => {
  const read = createSettingReader({}, () => '');
  readConfig(read);
  return read.names();
};

const readConfig = (read: SettingReader) => {
  const platform = readPlatform(read);
  const dataDir = read.text('DATA_DIR', './data');
  const listen = { host: read.text('HOST', '127.0.0.1'), port: read.integer('PORT', 8080, [0, 65_535]) };
  const publicUrl = read.url('PUBLIC_URL', addressOf(listen));
  const lookupsPerMinute = read.integer('LOOKUPS_PER_MINUTE', 20, [1, 10_000_000]);
  return {
    listen,
    admin: {
      host: read.text('ADMIN_HOST', '127.0.0.1'),
      port: read.integer('ADMIN_PORT', 8082, [0, 65_535]),
    },
    publicUrl,
    platform,
    pictures: read.choice(
      'PICTURES',
      ['direct', 'relayed'],
      // The sandbox's image server can be reached on this machine only.
      platform.kind === 'sandbox' ? 'relayed' : 'direct',
    ),
    botTokens: readBotTokens(read),
    // What one application may send; only the sandbox takes more.
    egressPerSecond: read.integer('EGRESS_PER_SECOND', 50, [1, platform.kind === 'sandbox' ? 10_000 : 50]),
    dataDir,
    /** Null: the records are in a file in the folder. */
    databaseUrl: toSecret(
      read.secretUrl('DATABASE_URL', (text) => {
        const parsed = parseDatabaseUrl(text);
        return parsed.ok ? null : parsed.problem;
      }),
    ),
    /** The server puts a backup there every day; with PostgreSQL, where the operator does. Null: nobody does. */
    backupDir: read.text('BACKUP_DIR', '') || null,
    notifyUrl: toSecret(
      read.secretUrl('NOTIFY_URL', (text) =>
        /^https?:$/.test(URL.parse(text)?.protocol ?? '')
          ? null
          : 'expected a web address such as https://ntfy.sh/topic',
      ),
    ),
    keyringFile: read.text('KEYRING_FILE', join(dataDir, 'keyring.json')),
    brandName: read.text('BRAND_NAME', DEFAULT_BRAND),
    platformName: 'Discord',
    ...readContact(read, platform.kind, publicUrl),
    tokenDonations: read.choice('TOKEN_DONATIONS', ['on', 'off'], 'on') === 'on',
    trustedProxies: read.list('TRUSTED_PROXIES', parseCidr),
    captcha: {
      maxNumber: read.integer('POW_MAX_NUMBER', 1_000_000, [1_000, 10_000_000]),
      dialog: read.choice('CAPTCHA_DIALOG', ['auto', 'always'], 'auto'),
    },
    visitorRates: {
      challengesPerMinute: CHALLENGES_PER_LOOKUP * lookupsPerMinute,
      lookupsPerMinute,
      lookupsPerDay: MINUTES_OF_LOOKUPS_PER_DAY * lookupsPerMinute,
    },
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
};

const addressOf = ({ host, port }: ListenAddress): string => {
  const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const isSpecific = !['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) && URL.canParse(address);
  return isSpecific ? address : `http://localhost:${port}`;
};

/** Without addresses the process starts a sandbox of its own. */
const readPlatform = (read: SettingReader) => {
  const kind = read.choice('PLATFORM', ['sandbox', 'discord'], 'sandbox');
  const apiUrl = read.optionalUrl('DISCORD_API_URL');
  const cdnUrl = read.optionalUrl('DISCORD_CDN_URL');
  if (kind === 'discord')
    return { kind, urls: { apiUrl: apiUrl ?? DISCORD.apiUrl, cdnUrl: cdnUrl ?? DISCORD.cdnUrl } };
  if ((apiUrl === null) !== (cdnUrl === null))
    read.complain('DISCORD_API_URL and DISCORD_CDN_URL: set both, or neither, with PLATFORM=sandbox.');
  return { kind, urls: apiUrl === null || cdnUrl === null ? null : { apiUrl, cdnUrl } };
};

const readContact = (read: SettingReader, kind: 'sandbox' | 'discord', publicUrl: string) => {
  const isSandbox = kind === 'sandbox';
  const contactEmail = read.text('CONTACT_EMAIL', isSandbox ? 'hello@whoflake.example' : '');
  if (contactEmail === '' && !isLoopback(new URL(publicUrl).hostname))
    read.complain(
      'CONTACT_EMAIL: expected an e-mail address at which people can reach you; it is required with PLATFORM=discord.',
    );
  else if (contactEmail !== '' && !/^[^\s@"<>]+@[^\s@"<>]+\.[^\s@"<>]+$/.test(contactEmail))
    read.complain('CONTACT_EMAIL: expected an e-mail address such as hello@example.org.');
  const paymentUrl =
    read.optionalLink('PAYMENT_URL') ?? (isSandbox ? 'https://donate.whoflake.example/' : null);
  return { contactEmail, paymentUrl, vanityMinEur: read.integer('VANITY_MIN_EUR', 18, [1, 1_000_000]) };
};

const toSecret = (text: string | null): Secret | null => (text === null ? null : createSecret(text));

const readBotTokens = (read: SettingReader): BotToken[] =>
  read.secretList('BOT_TOKENS', (text) => {
    const parsed = parseBotToken(text);
    if (parsed.ok) return { value: parsed.token };
    return { problem: parsed.problem === 'user-token' ? 'is a user token' : 'is not a bot token' };
  });
