import type { BotToken } from '#server/platform/bot-token.ts';
import type { OwnTokens } from '#server/tokens/own-tokens.ts';
import type { PoolToken } from '#server/tokens/token-pool.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import { botFingerprint } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import { retiredOwnTokens, type RetireTokenDeps } from './retire-token.ts';

export type ReportedToken = Pick<PoolToken, 'since' | 'until'> & {
  readonly bot: string;
  readonly requests: number | null;
  /** `unused`: it is not in the pool, and the platform is not why. */
  readonly state: PoolToken['state'] | 'retired' | 'unused';
};

type TokenReportDeps = Pick<RetireTokenDeps, 'vault' | 'retirements'> & {
  readonly pool: Pick<TokenPool, 'list'>;
  readonly ownTokens: Pick<OwnTokens, 'all'>;
};

/** What the log and `ops tokens list` call a token: by its row, or if it is the operator's own, by the bot's digest. */
export const shortId = (id: string): string => id.slice(0, 8);

/** Without the keyring, nobody can tell which bot it stands for. */
export const tokenDigest = (vault: Vault, { botId }: Pick<BotToken, 'botId'>): string =>
  botFingerprint(vault, botId);

export const createTokenReport = (deps: TokenReportDeps) => async (): Promise<readonly ReportedToken[]> => {
  const { vault, pool, ownTokens } = deps;
  const inPool = await pool.list();
  const bots = new Set(inPool.map(({ botId }) => botId));
  const missing = ownTokens.all().filter(({ botId }) => !bots.has(botId));
  const retired = await retiredOwnTokens(deps, missing);
  const report = (token: Pick<BotToken, 'botId'>, details: Omit<ReportedToken, 'bot'>): ReportedToken => ({
    bot: tokenDigest(vault, token),
    ...details,
  });
  return [
    ...inPool.map(({ botId, ...details }) => report({ botId }, details)),
    ...missing.map((token) => {
      const since = retired.get(token.botId) ?? null;
      const state = since === null ? 'unused' : 'retired';
      return report(token, { requests: null, state, since, until: null });
    }),
  ];
};
