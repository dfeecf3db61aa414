import { parseEnv } from 'node:util';
import { settingNames, type ParsedConfig, type Config } from '#server/config.ts';
import { nearest } from '../usage/nearest.ts';

/** The file that settings come from, and what is in it. */
export type SettingsFile = { readonly path: string; readonly text: string };

/** Read by what runs the server and not by the server itself. */
const OTHER_NAMES = ['NODE_ENV', 'WHOFLAKE_ENV_FILE', 'COMPOSE_PROJECT_NAME'];

/** What is wrong with the settings, one sentence each: what keeps the server from starting, and what only seems meant otherwise. */
export const findSettingProblems = (parsed: ParsedConfig, file: SettingsFile | null): readonly string[] => [
  ...(parsed.ok ? contradictions(parsed.config) : parsed.problems),
  ...(file === null ? [] : [...unknownNames(file), ...exampleValues(file), ...readTwoWays(file)]),
];

const contradictions = ({ listen, admin, platform, publicUrl, trustedProxies }: Config): string[] => {
  const ports = [
    ['PORT', listen.port],
    ['ADMIN_PORT', admin.port],
    ...(platform.kind === 'sandbox' && platform.urls === null
      ? [['SANDBOX_PORT', platform.port] as const]
      : []),
  ] as const;
  const taken = ports.flatMap(([name, port], index) =>
    ports
      .slice(index + 1)
      .filter(([, other]) => other === port && port !== 0)
      .map(([other]) => `${name} and ${other}: both are ${port}; choose another for one of them.`),
  );
  const isBehindProxy = publicUrl.startsWith('https:') && trustedProxies.length === 0;
  return [
    ...taken,
    ...(isBehindProxy
      ? [
          'TRUSTED_PROXIES: expected the address of the proxy that speaks https, such as 127.0.0.1/32; without it all visitors share one allowance.',
        ]
      : []),
  ];
};

const unknownNames = ({ path, text }: SettingsFile): string[] => {
  const known = [...settingNames(), ...OTHER_NAMES];
  return Object.keys(parseEnv(text))
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name.toUpperCase(), known);
      const remedy = meant === undefined ? 'check its name, or delete it' : `did you mean ${meant}?`;
      return `${name}: there is no such setting; ${remedy} (line ${lineOf(text, name)} of ${path})`;
    });
};

/** Of the file that we ship, to be replaced by the operator's own. */
const exampleValues = ({ path, text }: SettingsFile): string[] =>
  Object.entries(parseEnv(text))
    .filter(([, value]) => /(?:^|[/@.])example\.(?:org|com|net)\b/.test(value ?? ''))
    .map(([name]) => `${name}: still has the value of the example (line ${lineOf(text, name)} of ${path})`);

/** systemd takes a line as it stands; Node, and a shell, end it at a comment and know `export`. */
const readTwoWays = ({ path, text }: SettingsFile): string[] =>
  text.split('\n').flatMap((line, index) => {
    const isAmbiguous = /^\s*export\s/.test(line) || /^\s*\w+=[^'"#]*\s#/.test(line);
    return isAmbiguous
      ? [
          `Line ${index + 1} of ${path} means one thing to systemd and another to Node: put comments on lines of their own, and leave out export.`,
        ]
      : [];
  });

const lineOf = (text: string, name: string): number =>
  1 +
  text.split('\n').findIndex((line) =>
    line
      .trimStart()
      .replace(/^export\s+/, '')
      .startsWith(`${name}=`),
  );
