import { isIP } from 'node:net';
import type { Config, ListenAddress } from '#server/config.ts';
import { failed, warning, type SettingProblem } from './setting-problem.ts';

type Listener = ListenAddress & { readonly name: string };

/** What is wrong with settings each of which could be right. */
export const findContradictions = (config: Config): SettingProblem[] => [
  ...portsTaken(listenersOf(config)).map(failed),
  ...[...hostsByName(config), ...addressProblems(config)].map(warning),
];

const listenersOf = ({ listen, admin, platform }: Config): Listener[] => [
  { name: 'PORT', ...listen },
  { name: 'ADMIN_PORT', ...admin },
  ...(platform.kind === 'sandbox' && platform.urls === null
    ? [{ name: 'SANDBOX_PORT', host: '127.0.0.1', port: platform.port }]
    : []),
];

const portsTaken = (listeners: readonly Listener[]): string[] =>
  listeners.flatMap((one, index) =>
    listeners
      .slice(index + 1)
      .filter((other) => other.port === one.port && one.port !== 0 && meet(one.host, other.host))
      .map(({ name, port }) => `${one.name} and ${name}: both are ${port}; change one of them.`),
  );

const meet = (host: string, other: string): boolean =>
  host === other || [host, other].some((name) => isIP(name) === 0 || ['0.0.0.0', '::'].includes(name));

/** A name is looked up at the start, and the server ends if it is not one of this machine's. */
const hostsByName = ({ listen, admin }: Config): string[] =>
  [
    ['HOST', listen.host],
    ['ADMIN_HOST', admin.host],
  ]
    .filter(([, host = '']) => isIP(host.replace(/%.*/, '')) === 0 && host !== 'localhost')
    .map(
      ([name, host]) =>
        `${name}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, not "${host}".`,
    );

const addressProblems = ({ publicUrl, trustedProxies }: Config): string[] => {
  const { protocol, pathname, origin } = new URL(publicUrl);
  return [
    ...(pathname === '/' ? [] : [`PUBLIC_URL: pages are only served from ${origin}/; remove ${pathname}.`]),
    ...(protocol === 'https:' && trustedProxies.length === 0
      ? [
          'TRUSTED_PROXIES: expected the address of your HTTPS proxy, such as 127.0.0.1/32; without it, all visitors share one rate limit.',
        ]
      : []),
  ];
};
