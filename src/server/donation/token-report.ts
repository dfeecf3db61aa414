import type { BotToken } from '#server/platform/bot-token.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import type { OwnTokens, PoolToken, TokenPool } from '#server/tokens/token-pool.ts';
import { botFingerprint } from '#server/vault/donated-tokens.ts';
import type { Vault } from '#server/vault/vault.ts';

export type ReportedToken = Pick<PoolToken, 'since' | 'until' | 'invalid'> & {
  /** Its keyed digest: without the keyring, nobody can tell which bot it stands for. */
  readonly bot: string;
  readonly requests: number | null;
  /** `unused`: it is not in the pool, and the platform is not why. */
  readonly state: PoolToken['state'] | 'retired' | 'unused';
};

type TokenReportDeps = {
  readonly vault: Vault;
  readonly retirements: Retirements;
  readonly pool: TokenPool;
  readonly ownTokens: OwnTokens;
};

/** What the log and `ops tokens list` call a token: by its row, or if it is the operator's own, by the bot's digest. */
export const shortId = (id: string): string => id.slice(0, 8);

/** The operator's own tokens have no row; by this name one counts once, however often keys are rotated. */
export const ownName = (vault: Vault, { secret }: BotToken): string =>
  `own:${vault.poolDigest(secret.reveal()).slice(0, 32)}`;

/** Since when, by bot. */
const retiredOwnTokens = async (
  { vault, retirements }: Pick<TokenReportDeps, 'vault' | 'retirements'>,
  tokens: readonly BotToken[],
): Promise<ReadonlyMap<string, string>> => {
  const named = tokens.map((token) => [ownName(vault, token), token.botId] as const);
  const times = await retirements.times(named.map(([name]) => name));
  return new Map(named.flatMap(([name, botId]) => (times.has(name) ? [[botId, times.get(name) ?? '']] : [])));
};

export const createTokenReport = (deps: TokenReportDeps) => async (): Promise<readonly ReportedToken[]> => {
  const inPool = await deps.pool.list();
  const bots = new Set(inPool.map(({ botId }) => botId));
  const missing = deps.ownTokens.all().filter(({ botId }) => !bots.has(botId));
  const retired = await retiredOwnTokens(deps, missing);
  const others = missing.map(({ botId }) => {
    const since = retired.get(botId) ?? null;
    const state = since === null ? ('unused' as const) : ('retired' as const);
    return { botId, requests: null, state, since, until: null, invalid: 0 };
  });
  return [...inPool, ...others].map(({ botId, requests, state, since, until, invalid }) => {
    const bot = botFingerprint(deps.vault, botId);
    return { bot, requests, state, since, until, invalid };
  });
};
