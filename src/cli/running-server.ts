import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { ListenAddress } from '#server/config.ts';
import type { ReportedToken } from '#server/donation/token-report.ts';

/** What the admin listener of a running server says of itself. */
export type Readiness = { readonly ready: boolean } & Readonly<Record<string, unknown>>;

const PATIENCE_MS = 2_000;

/** Null if no server answers. */
export const askReadiness = async (admin: ListenAddress): Promise<Readiness | null> => {
  const answer = (await ask(admin, '/readyz')) as Partial<Readiness> | null;
  return typeof answer?.ready === 'boolean' ? { ...answer, ready: answer.ready } : null;
};

/** The tokens of the server, by the keyed digest of the bot. Null if no server answers. One of another version may say less. */
export const askTokens = async (
  admin: ListenAddress,
): Promise<ReadonlyMap<string, Partial<ReportedToken>> | null> => {
  const tokens = (await ask(admin, '/tokens')) as ReportedToken[] | null;
  return Array.isArray(tokens) ? new Map(tokens.map((token) => [token.bot, token])) : null;
};

/** With Node's own client: undici takes longer to load than the server to answer. */
const ask = async (admin: ListenAddress, path: string): Promise<unknown> => {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const request = get(`${adminUrl(admin)}${path}`, { signal, agent: false });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return await json(answer);
  } catch (error) {
    // Network errors have a code; an answer that is not JSON comes from another program.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null;
    throw error;
  }
};

/** A listener on all addresses also listens on this one. */
export const adminUrl = ({ host, port }: ListenAddress): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};
