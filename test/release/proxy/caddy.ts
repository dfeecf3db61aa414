import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '#test/support/debian-program.ts';
import {
  shippedFile,
  startProxyProcess,
  substitute,
  type Changes,
  type Proxy,
  type ProxyPorts,
  type RunningProxy,
} from './proxy-process.ts';

const PROGRAM = findProgram('usr/bin/caddy');
const SHIPPED = shippedFile('Caddyfile');

/** For a name like localhost Caddy signs the certificate itself; on a tester's machine nobody shall trust it. */
const optionsFor = (http: number, https: number): string =>
  ['{', '\tadmin off', '\tskip_install_trust', `\thttp_port ${http}`, `\thttps_port ${https}`, ''].join('\n');

export const startCaddy = async (
  file: string,
  ports: Omit<ProxyPorts, 'upstream'>,
  env: Readonly<Record<string, string>>,
  changes: Changes = {},
): Promise<RunningProxy> => {
  const running = await startProxyProcess(ports, (folder) => {
    const config = substitute(readFileSync(file, 'utf8'), {
      '\n{\n': `\n${optionsFor(ports.http, ports.https)}`,
      ...changes,
    });
    writeFileSync(join(folder, 'Caddyfile'), config);
    return {
      program: PROGRAM ?? '',
      args: ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'],
      env: { PUBLIC_URL: 'https://localhost', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...env },
    };
  });
  const root = join(running.folder, 'caddy/pki/authorities/local/root.crt');
  return { ...running, ca: readFileSync(root, 'utf8') };
};

export const caddy: Proxy = {
  name: 'Caddy',
  installed: PROGRAM !== null,
  upstreamIdleMs: () => {
    const args = ['adapt', '--adapter', 'caddyfile', '--config', SHIPPED];
    const env = { PUBLIC_URL: 'https://localhost' };
    const config = execFileSync(PROGRAM ?? '', args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [, seconds] = /"keep_alive":\{"idle_timeout":(\d+)000000000\}/.exec(config.toString()) ?? [];
    return Number(seconds) * 1_000;
  },
  impatience: { 'write 2m': 'write 1s' },
  start: (ports, changes) => startCaddy(SHIPPED, ports, { UPSTREAM: `127.0.0.1:${ports.upstream}` }, changes),
};
