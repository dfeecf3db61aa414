import { request } from 'undici';

export type PlatformProbe =
  | { readonly kind: 'reachable'; readonly clockMs: number | null }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unreachable' };

const PATIENCE_MS = 4_000;

/** Asks what needs no token and costs nothing, to see whether somebody is there and what time it is for them. */
export const probePlatform = async (apiUrl: string, userAgent: string): Promise<PlatformProbe> => {
  try {
    const { statusCode, headers, body } = await request(`${apiUrl}/gateway`, {
      headers: { 'user-agent': userAgent },
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    await body.dump();
    if (statusCode === 403 || statusCode === 429 || statusCode >= 500)
      return { kind: 'refused', status: statusCode };
    const dateMs = Date.parse(String(headers.date));
    return { kind: 'reachable', clockMs: Number.isNaN(dateMs) ? null : dateMs };
  } catch {
    return { kind: 'unreachable' };
  }
};
