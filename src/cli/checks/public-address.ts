import { DAY_MS } from '#server/system.ts';
import { fieldOf, parseJson } from '#shared/json.ts';
import type { ApiPath } from '#shared/paths.ts';
import type { CommandContext } from '../command.ts';
import { httpGet, type Answer, type Certificate } from '../http-get.ts';
import { plural } from '../output.ts';
import { check, warning, type Check, type Finding } from './check.ts';

const PATIENCE_MS = 3_000;
/** Let's Encrypt and others renew a month before the end. */
const FEW_DAYS = 14;
const OPENAPI_PATH = '/openapi.json' satisfies ApiPath;

/** Nothing fails because this machine cannot reach the address: visitors may. */
export const checkPublicAddress = async ({
  config,
  system,
}: Pick<CommandContext, 'config' | 'system'>): Promise<Check[]> => {
  const { publicUrl } = config;
  const { protocol, port, hostname } = new URL(publicUrl);
  const [answer, plain] = await Promise.all([
    httpGet(`${publicUrl}${OPENAPI_PATH}`, PATIENCE_MS),
    protocol === 'https:' && port === '' ? httpGet(`http://${hostname}/`, PATIENCE_MS) : null,
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

const isThisSite = (publicUrl: string, { body }: Answer): boolean => {
  const servers = fieldOf(parseJson(body), 'servers');
  return Array.isArray(servers) && fieldOf(servers[0], 'url') === publicUrl;
};

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

export const inspectCertificate = (
  { endsMs, problem }: Certificate,
  isOurs: boolean,
  nowMs: number,
): Finding | string => {
  const days = Math.floor((endsMs - nowMs) / DAY_MS);
  const finding = days < 0 ? `ended ${plural(-days, 'day')} ago` : `ends in ${plural(days, 'day')}`;
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID' || days < 0)
    return {
      // If somebody else answers, visitors may see another one.
      state: isOurs ? 'failed' : 'warning',
      finding: days < 0 ? finding : 'is for another name',
      remedy:
        'get one for the name in PUBLIC_URL: the log of the proxy or of certbot says why there is none.',
    };
  if (problem === null && days >= FEW_DAYS) return finding;
  return warning(
    problem === null ? finding : `is not trusted by this machine (${problem}), ${finding}`,
    'unless that is intended, get one that browsers trust, with its whole chain: see the log of the proxy or of certbot.',
  );
};
