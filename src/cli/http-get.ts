import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { get as getPlain } from '#server/node-http.ts';

export type Certificate = { readonly endsMs: number; readonly problem: string | null };

export type Answer = {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly certificate: Certificate | null;
};

/** The error's code if there is no answer. */
export const httpGet = async (url: string, timeoutMs: number): Promise<Answer | string> => {
  try {
    const options = { signal: AbortSignal.timeout(timeoutMs), agent: false };
    // Nothing secret is sent, and the certificate is what we want to check.
    const request = url.startsWith('https:')
      ? getSecure(url, { ...options, rejectUnauthorized: false })
      : getPlain(url, options);
    const [response] = (await once(request, 'response', { signal: options.signal })) as [IncomingMessage];
    const certificate = certificateOf(response);
    const { statusCode: status = 0, headers } = response;
    return { status, location: headers.location ?? '', certificate, body: await text(response) };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return error.code === 'ABORT_ERR' ? 'no answer in time' : String(error.code);
  }
};

const certificateOf = ({ socket }: IncomingMessage): Certificate | null => {
  if (!(socket instanceof TLSSocket)) return null;
  const endsMs = Date.parse(socket.getPeerCertificate().valid_to);
  return { endsMs, problem: socket.authorized ? null : String(socket.authorizationError) };
};
