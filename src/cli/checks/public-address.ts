import { DAY_MS } from '#server/system.ts';
import { fieldOf, parseJson } from '#shared/json.ts';
import type { ApiPath } from '#shared/paths.ts';
import type { CommandContext } from '../command.ts';
import { httpGet, type Certificate } from '../http-get.ts';
import { plural } from '../output.ts';
import { warning, type Finding } from './check.ts';

const PATIENCE_MS = 3_000;
/** Let's Encrypt and others renew a month before the end. */
const FEW_DAYS = 14;
const OPENAPI_PATH = '/openapi.json' satisfies ApiPath;

/** Nothing fails because this machine cannot reach the address: visitors may. */
export const inspectPublicAddress = async ({
  config: { publicUrl },
  system,
}: Pick<CommandContext, 'config' | 'system'>): Promise<readonly Finding[]> => {
  const answer = await httpGet(`${publicUrl}${OPENAPI_PATH}`, PATIENCE_MS);
  if (typeof answer === 'string')
    return [
      warning(
        `${publicUrl} cannot be reached from this machine (${answer})`,
        'try it from elsewhere; if it fails there too, check the proxy, the firewall and the DNS record.',
      ),
    ];
  const servers = fieldOf(parseJson(answer.body), 'servers');
  const isOurs = Array.isArray(servers) && fieldOf(servers[0], 'url') === publicUrl;
  const address: Finding = isOurs
    ? { state: 'ok', finding: `${publicUrl} answers` }
    : warning(
        `${publicUrl} does not answer as this site (status ${answer.status})`,
        'check PUBLIC_URL, the DNS record, and that the proxy passes requests on to HOST and PORT.',
      );
  const { certificate } = answer;
  return certificate === null
    ? [address]
    : [address, inspectCertificate(certificate, isOurs, system.clock.wallMs())];
};

export const inspectCertificate = (
  { endsMs, problem }: Certificate,
  isOurs: boolean,
  nowMs: number,
): Finding => {
  const days = Math.floor((endsMs - nowMs) / DAY_MS);
  const ends = days < 0 ? `ended ${plural(-days, 'day')} ago` : `ends in ${plural(days, 'day')}`;
  const finding = problem === null ? ends : `is not trusted by this machine (${problem}), ${ends}`;
  const isRefused = problem === 'ERR_TLS_CERT_ALTNAME_INVALID' || days < 0;
  if (problem === null && days >= FEW_DAYS) return { what: 'certificate', state: 'ok', finding };
  return {
    what: 'certificate',
    // If somebody else answers, visitors may see another one.
    state: isRefused && isOurs ? 'failed' : 'warning',
    finding,
    remedy:
      'unless that is intended, get one for the name in PUBLIC_URL that browsers trust: the log of the proxy or of certbot says why there is none.',
  };
};
