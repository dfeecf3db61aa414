import { createHmac } from 'node:crypto';
import { composeSnowflake, snowflakeCreatedMs, type Snowflake } from '#shared/snowflake.ts';
import { getOrInsert } from '../get-or-insert.ts';
import { drawsFrom } from '../profiles/seeded-draws.ts';
import { UsageError } from '../usage-error.ts';

export type BotTokens = ReturnType<typeof createBotTokens>;

const FIRST_BOT_MS = Date.UTC(2022, 7, 1);
const BOT_SPACING_MS = 60_000;
/** discord.py documents that the second part counts seconds from 2011-01-01. */
const TOKEN_EPOCH_SECONDS = 1_293_840_000;
const SIGNATURE_LENGTH = 38;

const encodeSeconds = (seconds: number): string =>
  Buffer.from(seconds.toString(16).padStart(8, '0'), 'hex').toString('base64url');

const botIdNumber = (n: number): string =>
  composeSnowflake(FIRST_BOT_MS + n * BOT_SPACING_MS, drawsFrom(`bot:${n}`).integer(2 ** 22));

export const createBotTokens = () => {
  let epoch = 0;
  const revoked = new Set<string>();
  const resets = new Map<string, number>();
  const current = new Map<string, string>();
  const guildCounts = new Map<string, number>();

  const signedToken = (botId: string): string => {
    const createdSeconds = Math.floor(snowflakeCreatedMs(botId as Snowflake) / 1000);
    const issuedSeconds = createdSeconds + (resets.get(botId) ?? 0) - TOKEN_EPOCH_SECONDS;
    const head = `${Buffer.from(botId).toString('base64url')}.${encodeSeconds(issuedSeconds)}`;
    const signature = createHmac('sha256', `whoflake:${epoch}`).update(head).digest('base64url');
    return `${head}.${signature.slice(0, SIGNATURE_LENGTH)}`;
  };

  const tokenOf = (botId: string): string => getOrInsert(current, botId, signedToken);

  const isBot = (id: string): boolean => {
    if (id.length !== 19) return false;
    const n = (snowflakeCreatedMs(id as Snowflake) - FIRST_BOT_MS) / BOT_SPACING_MS;
    return Number.isSafeInteger(n) && n >= 0 && botIdNumber(n) === id;
  };

  const claimedBotId = (token: string): string | undefined => {
    const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('latin1');
    return current.has(id) || (/^\d{19}$/.test(id) && isBot(id)) ? id : undefined;
  };

  return {
    /** Always the same until it is reset, or all are revoked. */
    mint: (n: number): string => tokenOf(botIdNumber(n)),
    reset: (token: string): string => {
      const botId = claimedBotId(token);
      if (botId === undefined) throw new UsageError('Only a token of a sandbox bot can be reset.');
      resets.set(botId, (resets.get(botId) ?? 0) + 1);
      current.delete(botId);
      return tokenOf(botId);
    },
    revoke: (token: string): void => {
      revoked.add(token);
    },
    /** Tokens minted from now on work, with the same bot ids. */
    revokeAll: (): void => {
      epoch += 1;
      current.clear();
    },
    botIdOf: (token: string): string | undefined => {
      const botId = claimedBotId(token);
      return botId === undefined || revoked.has(token) || tokenOf(botId) !== token ? undefined : botId;
    },
    setGuildCount: (token: string, guilds: number): void => {
      guildCounts.set(claimedBotId(token) ?? '', guilds);
    },
    guildCountOf: (botId: string): number => guildCounts.get(botId) ?? 0,
    isBot,
  };
};
