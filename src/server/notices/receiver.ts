import { lookup as resolveName, type LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from '#server/visitors/ip-address.ts';

/** What the operator is told: nothing secret, and nothing about visitors. */
export type Notice = {
  readonly event: string;
  readonly state: 'problem' | 'over' | 'news';
  readonly text: string;
  readonly site: string;
  readonly server: string;
  readonly at: string;
};

type Message = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

const json = (body: object): Message => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const PATIENCE_MS = 10_000;
const MARKS = { problem: '🔴', over: '🟢', news: '🔵' } as const;

export const messageFor = (url: URL, notice: Notice): Message => {
  const { text, site, server, state } = notice;
  const line = `${MARKS[state]} ${site} (${server}): ${text}`;
  const { hostname, pathname } = url;
  if (/(?:^|\.)discord(?:app)?\.com$/.test(hostname) && pathname.startsWith('/api/webhooks/'))
    return json({ content: line, allowed_mentions: { parse: [] } });
  if (hostname === 'hooks.slack.com') return json({ text: line });
  if (/^ntfy(?:\.|$)/.test(hostname))
    return {
      body: line,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        priority: state === 'problem' ? 'high' : 'default',
      },
    };
  return json(notice);
};

/** A name without a dot, or an address, was chosen by the operator; a public name must lead to a public address. */
const isOwnNetwork = ({ hostname }: URL): boolean =>
  !hostname.includes('.') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

const lookupPublic =
  (resolve: typeof resolveName): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const addresses = found ?? [];
      const refused = addresses.some(({ address }) => isPrivateAddress(address))
        ? new Error('its name leads to a private address')
        : error;
      if (refused) return callback(refused, '');
      if (options.all === true) return callback(null, addresses);
      callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });

/** Resolves with null once the receiver has taken it, else with why not: never with a part of the address. */
export const sendNotice = (
  address: string,
  notice: Notice,
  resolveHost = resolveName,
): Promise<string | null> =>
  new Promise((resolve) => {
    const url = new URL(address);
    const { body, headers } = messageFor(url, notice);
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'Whoflake' },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(!isOwnNetwork(url) && { lookup: lookupPublic(resolveHost) }),
      },
      (response) => {
        const { statusCode = 0 } = response;
        response.destroy();
        resolve(statusCode >= 200 && statusCode < 300 ? null : `it answers with status ${statusCode}`);
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isPlain = error.message === 'its name leads to a private address';
      resolve(isPlain ? error.message : `it cannot be reached (${error.code ?? error.name})`);
    });
    request.end(body);
  });
