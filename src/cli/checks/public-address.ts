import { once } from 'node:events';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { parseJson } from '#shared/parse-json.ts';
import type { ApiPath } from '#shared/paths.ts';
import type { CommandContext } from '../command.ts';
import { plural } from '../output.ts';
import { check, type Check, type Finding } from './check.ts';

const PATIENCE_MS = 3_000;
const DAY_MS = 86_400_000;
/** Let's Encrypt and others renew a month before the end. */
const FEW_DAYS = 14;
const OPENAPI_PATH = '/openapi.json' satisfies ApiPath;

type Certificate = { readonly endsMs: number; readonly problem: string | null };

type Answer = {
  readonly status: number;
  readonly location: string;
  readonly body: string;
  readonly certificate: Certificate | null;
};

/** The address that visitors use, seen from here. Nothing fails because this machine cannot reach it: visitors may. */
export const checkPublicAddress = async ({
  config,
  system,
}: Pick<CommandContext, 'config' | 'system'>): Promise<Check[]> => {
  const { publicUrl } = config;
  const { protocol, port, hostname } = new URL(publicUrl);
  const [answer, plain] = await Promise.all([
    ask(`${publicUrl}${OPENAPI_PATH}`),
    protocol === 'https:' && port === '' ? ask(`http://${hostname}/`) : null,
  ]);
  const address = await check('public address', () => inspectAddress(publicUrl, answer, plain));
  if (typeof answer === 'string' || answer.certificate === null) return [address];
  const { certificate } = answer;
  const isOurs = isThisSite(publicUrl, answer);
  return [
    address,
    await check('certificate', () => inspectCertificate(certificate, isOurs, system.clock.wallMs())),
  ];
};

/** The error's code if there is no answer. */
const ask = async (url: string): Promise<Answer | string> => {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    // Nothing secret is sent, and the certificate is what we want to check.
    const request = url.startsWith('https:')
      ? getSecure(url, { signal, agent: false, rejectUnauthorized: false })
      : getPlain(url, { signal, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
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

/** A server tells its own address. */
const isThisSite = (publicUrl: string, { body }: Answer): boolean => {
  const document = parseJson(body) as
    | { readonly servers?: readonly { readonly url?: unknown }[] }
    | null
    | undefined;
  return Array.isArray(document?.servers) && document.servers[0]?.url === publicUrl;
};

const warning = (finding: string, remedy: string): Finding => ({ state: 'warning', finding, remedy });

export const inspectAddress = (
  publicUrl: string,
  answer: Answer | string,
  plain: Answer | string | null,
): Finding | string => {
  if (typeof answer === 'string')
    return warning(
      `${publicUrl} cannot be reached from this machine (${answer})`,
      'try it from elsewhere; if it fails there too, check the proxy, the firewall and the DNS record.',
    );
  if (!isThisSite(publicUrl, answer))
    return warning(
      `${publicUrl} does not answer as this site (status ${answer.status})`,
      'check PUBLIC_URL, the DNS record, and that the proxy passes requests on to HOST and PORT.',
    );
  if (plain !== null && (typeof plain === 'string' || !plain.location.startsWith(`${publicUrl}/`)))
    return warning(
      `${publicUrl} answers, but http:// does not lead there (${typeof plain === 'string' ? plain : `status ${plain.status}`})`,
      'open port 80, and have the proxy redirect it to https.',
    );
  return `${publicUrl} answers`;
};

const RENEW = 'renew it: the log of the proxy or of certbot says why that did not happen.';

export const inspectCertificate = (
  { endsMs, problem }: Certificate,
  isOurs: boolean,
  nowMs: number,
): Finding | string => {
  const days = Math.floor((endsMs - nowMs) / DAY_MS);
  // If somebody else answers, visitors may see another one.
  const state = isOurs ? 'failed' : 'warning';
  if (days < 0) return { state, finding: `ended ${plural(-days, 'day')} ago`, remedy: RENEW };
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { state, finding: 'is for another name', remedy: 'get one for the name in PUBLIC_URL.' };
  const left = `ends in ${plural(days, 'day')}`;
  if (problem !== null)
    return warning(
      `is not trusted by this machine (${problem}), ${left}`,
      'unless that is intended, get one that browsers trust, with its whole chain.',
    );
  return days < FEW_DAYS ? warning(left, RENEW) : left;
};
