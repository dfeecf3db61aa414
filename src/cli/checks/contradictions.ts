import { isIP } from 'node:net';
import type { Config, ListenAddress } from '#server/config.ts';

type Listener = ListenAddress & { readonly name: string };

const listenersOf = ({ listen, admin, platform }: Config): Listener[] => [
  { name: 'PORT', ...listen },
  { name: 'ADMIN_PORT', ...admin },
  ...(platform.kind === 'sandbox' && platform.urls === null
    ? [{ name: 'SANDBOX_PORT', host: '127.0.0.1', port: platform.port }]
    : []),
];

export const portsUsedTwice = (config: Config): string[] =>
  listenersOf(config).flatMap((one, index, all) =>
    all
      .slice(index + 1)
      .filter((other) => other.port === one.port && one.port !== 0 && overlap(one.host, other.host))
      .map(({ name, port }) => `${one.name} and ${name}: both are ${port}; change one of them.`),
  );

const overlap = (host: string, other: string): boolean =>
  host === other || [host, other].some((name) => isIP(name) === 0 || ['0.0.0.0', '::'].includes(name));

/** Valid by themselves, but hardly together. */
export const suspiciousAddresses = ({ listen, admin, publicUrl, trustedProxies }: Config): string[] => {
  const { protocol, pathname, origin } = new URL(publicUrl);
  const hosts = { HOST: listen.host, ADMIN_HOST: admin.host };
  return [
    // The server resolves a name when it starts, and ends if the address is not one of this machine's.
    ...Object.entries(hosts)
      .filter(([, host]) => isIP(host.replace(/%.*/, '')) === 0 && host !== 'localhost')
      .map(
        ([name, host]) =>
          `${name}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, not "${host}".`,
      ),
    ...(pathname === '/' ? [] : [`PUBLIC_URL: pages are only served from ${origin}/; remove ${pathname}.`]),
    ...(protocol === 'https:' && trustedProxies.length === 0
      ? [
          'TRUSTED_PROXIES: expected the address of your HTTPS proxy, such as 127.0.0.1/32; without it, all visitors share one rate limit.',
        ]
      : []),
  ];
};
