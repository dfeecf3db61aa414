import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ListenAddress } from '#server/config.ts';

/** What the admin listener of a running server says of itself. */
export type Readiness = { readonly ready: boolean } & Readonly<Record<string, unknown>>;

const PATIENCE_MS = 2_000;

/** Null if no server answers. */
export const askReadiness = async (admin: ListenAddress): Promise<Readiness | null> => {
  try {
    const answer = JSON.parse(await ask(`${adminUrl(admin)}/readyz`)) as Partial<Readiness> | null;
    return typeof answer?.ready === 'boolean' ? { ...answer, ready: answer.ready } : null;
  } catch {
    return null;
  }
};

/** How many requests each bot's token has made since the start, by the keyed digest of the bot. Null if no server answers. */
export const askTokenUse = async (admin: ListenAddress): Promise<ReadonlyMap<string, number> | null> => {
  try {
    const tokens = JSON.parse(await ask(`${adminUrl(admin)}/tokens`)) as TokenUse[];
    return new Map(tokens.map(({ bot, requests }) => [bot, requests]));
  } catch {
    return null;
  }
};
type TokenUse = { readonly bot: string; readonly requests: number };

/** By Node's own client: the other takes longer to load than the server to answer. */
const ask = async (url: string): Promise<string> => {
  const request = get(url, { signal: AbortSignal.timeout(PATIENCE_MS), agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return text(answer);
};

/** A listener on all addresses is also on this one. */
export const adminUrl = ({ host, port }: ListenAddress): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};
