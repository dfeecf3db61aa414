import { createHmac } from 'node:crypto';
import { snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { drawsFrom } from '../profiles/seeded-draws.ts';

export type BotTokens = {
  /** The n-th bot's current token: the same until it is reset, or all are revoked. */
  readonly mint: (n: number) => string;
  /** A new token of the same bot; from now on every older one of that bot is refused. */
  readonly reset: (token: string) => string;
  readonly revoke: (token: string) => void;
  /** Refuses every token made so far, known or not. Tokens minted from now on work. */
  readonly revokeAll: () => void;
  /** The bot's id, or undefined for a token that is forged, revoked or superseded. */
  readonly botIdOf: (token: string) => string | undefined;
  /** Whether this id is one of the bots that `mint` can make. */
  readonly isBot: (id: string) => boolean;
};

const DISCORD_EPOCH_MS = 1_420_070_400_000;
const FIRST_BOT_MS = Date.UTC(2022, 7, 1);
const BOT_SPACING_MS = 60_000;
/** discord.py documents that the second part counts seconds from 2011-01-01. */
const TOKEN_EPOCH_SECONDS = 1_293_840_000;
const SIGNATURE_LENGTH = 38;
const REMEMBERED_TOKENS = 200_000;

const encodeText = (text: string): string => Buffer.from(text).toString('base64url');

const encodeSeconds = (seconds: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(seconds);
  return bytes.toString('base64url');
};

const tailOf = (seed: string, n: number): number => drawsFrom(`${seed}:bot:${n}`).integer(2 ** 22);

const botIdNumber = (seed: string, n: number): string => {
  const sinceEpochMs = FIRST_BOT_MS - DISCORD_EPOCH_MS + n * BOT_SPACING_MS;
  return String((BigInt(sinceEpochMs) << 22n) | BigInt(tailOf(seed, n)));
};

export const createBotTokens = (seed: string): BotTokens => {
  let epoch = 0;
  const revoked = new Set<string>();
  const resets = new Map<string, number>();
  const verified = new Map<string, string>();

  const sign = (head: string): string =>
    createHmac('sha256', `${seed}:${epoch}`).update(head).digest('base64url').slice(0, SIGNATURE_LENGTH);

  const tokenOf = (botId: string): string => {
    const createdSeconds = Math.floor(snowflakeCreatedMs(botId as Snowflake) / 1000);
    const issuedSeconds = createdSeconds + (resets.get(botId) ?? 0) - TOKEN_EPOCH_SECONDS;
    const head = `${encodeText(botId)}.${encodeSeconds(issuedSeconds)}`;
    return `${head}.${sign(head)}`;
  };

  const isBot = (id: string): boolean => {
    if (id.length !== 19) return false;
    const n = (snowflakeCreatedMs(id as Snowflake) - FIRST_BOT_MS) / BOT_SPACING_MS;
    return Number.isSafeInteger(n) && n >= 0 && botIdNumber(seed, n) === id;
  };

  const claimedBotId = (token: string): string | undefined => {
    const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('latin1');
    return /^\d{19}$/.test(id) && isBot(id) ? id : undefined;
  };

  const botIdOf = (token: string): string | undefined => {
    const known = verified.get(token);
    if (known !== undefined) return known;
    const botId = claimedBotId(token);
    if (botId === undefined || revoked.has(token) || tokenOf(botId) !== token) return undefined;
    if (verified.size >= REMEMBERED_TOKENS) verified.clear();
    verified.set(token, botId);
    return botId;
  };

  return {
    mint: (n) => tokenOf(botIdNumber(seed, n)),
    reset: (token) => {
      const botId = claimedBotId(token);
      if (botId === undefined) throw new TypeError('Only a token of a sandbox bot can be reset.');
      resets.set(botId, (resets.get(botId) ?? 0) + 1);
      verified.clear();
      return tokenOf(botId);
    },
    revoke: (token) => {
      revoked.add(token);
      verified.delete(token);
    },
    revokeAll: () => {
      epoch += 1;
      verified.clear();
    },
    botIdOf,
    isBot,
  };
};
