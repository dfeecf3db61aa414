import { request } from 'undici';
import type { ListenAddress } from '#server/config.ts';

/** What the admin listener of a running server says of itself. */
export type Readiness = { readonly ready: boolean } & Readonly<Record<string, unknown>>;

const PATIENCE_MS = 2_000;

/** Null if no server answers. */
export const askReadiness = async (admin: ListenAddress): Promise<Readiness | null> => {
  try {
    const { body } = await request(`${adminUrl(admin)}/readyz`, {
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    const answer = (await body.json()) as Partial<Readiness> | null;
    return typeof answer?.ready === 'boolean' ? { ...answer, ready: answer.ready } : null;
  } catch {
    return null;
  }
};

/** A listener on all addresses is also on this one. */
export const adminUrl = ({ host, port }: ListenAddress): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
};
