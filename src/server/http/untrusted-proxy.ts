import type { Logger } from '#server/observability/logger.ts';
import type { Clock } from '#server/system.ts';
import { isPrivateAddress } from '#server/visitors/ip-address.ts';

export type UntrustedProxyDeps = {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly logger: Pick<Logger, 'warn'>;
};

export type UntrustedProxy = ReturnType<typeof createUntrustedProxy>;

const REMEMBERED_MS = 3_600_000;

/**
 * Notices a proxy that is not in `TRUSTED_PROXIES`: all visitors behind it share one limit. A visitor can send the same
 * header, but not from a private address, nor to a site whose HTTPS somebody else speaks.
 */
export const createUntrustedProxy = ({ clock, publicUrl, logger }: UntrustedProxyDeps) => {
  const isBehindProxy = publicUrl.startsWith('https:');
  let seen: { readonly peer: string | null; readonly atMs: number } | null = null;
  const recent = () => (seen !== null && clock.monotonicMs() - seen.atMs < REMEMBERED_MS ? seen : null);

  return {
    seen: (address: string): void => {
      const isPrivate = isPrivateAddress(address);
      if (!isPrivate && !isBehindProxy) return;
      // A public address may be a visitor's.
      const peer = isPrivate ? address : null;
      if (recent() === null)
        logger.warn(
          { event: 'untrusted-proxy', peer },
          'a proxy is not in TRUSTED_PROXIES: all visitors behind it share one limit',
        );
      seen = { peer, atMs: clock.monotonicMs() };
    },
    /** Of the last hour; null if there was none. The peer is null if it has a public address. */
    recent: (): { readonly peer: string | null } | null => {
      const found = recent();
      return found && { peer: found.peer };
    },
  };
};
