import type { ListenAddress } from '#server/config.ts';
import type { ReportedToken } from '#server/donation/token-report.ts';
import { parseJson } from '#shared/json.ts';
import { httpGet } from './http-get.ts';

export type Readiness = { readonly ready: boolean } & Readonly<Record<string, unknown>>;

const PATIENCE_MS = 2_000;

export const askReadiness = async (admin: ListenAddress): Promise<Readiness | null> => {
  const answer = (await ask(admin, '/readyz')) as Partial<Readiness> | null;
  return typeof answer?.ready === 'boolean' ? { ...answer, ready: answer.ready } : null;
};

/** By the keyed digest of the bot. A server of another version may say less. */
export const askTokens = async (
  admin: ListenAddress,
): Promise<ReadonlyMap<string, Partial<ReportedToken>> | null> => {
  const tokens = (await ask(admin, '/tokens')) as ReportedToken[] | null;
  return Array.isArray(tokens) ? new Map(tokens.map((token) => [token.bot, token])) : null;
};

/** An answer that is not JSON comes from another program. */
const ask = async (admin: ListenAddress, path: string): Promise<unknown> => {
  const answer = await httpGet(`${urlOf(admin)}${path}`, PATIENCE_MS);
  return typeof answer === 'string' ? null : parseJson(answer.body);
};

/** A listener on all addresses also listens on this one. */
export const urlOf = ({ host, port }: ListenAddress): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};
