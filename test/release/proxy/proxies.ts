import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { vi } from 'vitest';
import { makeCertificate } from '#test/support/certificate.ts';
import { findProgram, libraryPath } from '#test/support/debian-program.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startProgram } from '#test/support/program-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export type Ports = { readonly http: number; readonly https: number; readonly upstream: number };
/** From what is shipped to something else; the first must be there, so that a test cannot go past what is shipped. */
export type Changes = Readonly<Record<string, string>>;
type Started = { readonly program: string; readonly args: readonly string[]; readonly ca: string };

const CADDY = findProgram('usr/bin/caddy');
const NGINX = findProgram('usr/sbin/nginx');
const shipped = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../ops', name), 'utf8');
const change = (text: string, changes: Changes): string =>
  Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`"${from}" is not in the shipped configuration.`);
    return changed.replaceAll(from, to);
  }, text);

/** Runs a proxy in a folder of its own until it has a certificate and accepts connections. */
const start = async (https: number, prepare: (folder: string) => Started, env: Changes = {}) => {
  const folder = temporaryFolder();
  const { program, args, ca } = prepare(folder.path);
  const home = { XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path, PUBLIC_URL: 'https://localhost' };
  const running = await startProgram({
    program,
    args: () => args,
    env: { PATH: '/usr/sbin:/usr/bin', LD_LIBRARY_PATH: libraryPath(), ...home, ...env },
    folder: folder.path,
  });
  await vi.waitFor(async () => {
    const socket = connect({ port: https, servername: 'localhost', rejectUnauthorized: false });
    await once(socket, 'secureConnect').catch((error: Error) => {
      throw new Error(`${error.message}: ${running.output()}`);
    });
    socket.destroy();
  }, EVENTUALLY);
  return {
    /** The certificate that its own is signed with. */
    ca: readFileSync(join(folder.path, ca), 'utf8'),
    log: (): string =>
      [join(folder.path, 'access.log')]
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
        .join() + running.output(),
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};
export type RunningProxy = Awaited<ReturnType<typeof start>>;

/** For a name like localhost Caddy signs the certificate itself; on a tester's machine nobody shall trust it. */
export const startCaddy = (
  name: string,
  { http, https }: Omit<Ports, 'upstream'>,
  env: Changes,
  changes: Changes = {},
) =>
  start(
    https,
    (folder) => {
      const ours = `\n{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${http}\n\thttps_port ${https}\n`;
      writeFileSync(join(folder, 'Caddyfile'), change(shipped(name), { '\n{\n': ours, ...changes }));
      const args = ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'];
      return { program: CADDY ?? '', args, ca: 'caddy/pki/authorities/local/root.crt' };
    },
    env,
  );

/** What stands around a server in Debian's own nginx.conf, as far as it could change what is proxied. */
const AROUND = `daemon off; pid nginx.pid; error_log stderr; events { worker_connections 768; }
http { sendfile on; gzip on; access_log access.log; client_body_temp_path body; proxy_temp_path proxy;
  fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi; include whoflake.conf; }
`;

const startNginx = ({ http, https, upstream }: Ports, changes: Changes = {}) =>
  start(https, (folder) => {
    const config = change(shipped('nginx.conf'), {
      'listen 80;': `listen 127.0.0.1:${http};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      'server 127.0.0.1:8080;': `server 127.0.0.1:${upstream};`,
      '/etc/letsencrypt/live/whoflake.example.org': folder,
      'server_name whoflake.example.org;': 'server_name localhost;',
      '/var/log/nginx/error.log': 'stderr',
      ...changes,
    });
    writeFileSync(join(folder, 'whoflake.conf'), config);
    writeFileSync(join(folder, 'nginx.conf'), AROUND);
    makeCertificate(folder);
    // As root the workers would be another user, who must get at the folder too; as anybody else this is ignored.
    const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
    const args = ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf', ...user];
    return { program: NGINX ?? '', args, ca: 'fullchain.pem' };
  });

export const caddy = {
  name: 'Caddy',
  isMissing: CADDY === null,
  start: (ports: Ports, changes?: Changes) =>
    startCaddy('Caddyfile', ports, { UPSTREAM: `127.0.0.1:${ports.upstream}` }, changes),
  /** How long it keeps an idle connection to the server. */
  idleSeconds: (): number => Number(/keepalive (\d+)s$/m.exec(shipped('Caddyfile'))?.[1]),
};

export const nginx = {
  name: 'nginx',
  isMissing: NGINX === null,
  start: startNginx,
  idleSeconds: (): number => Number(/keepalive_timeout (\d+)s;/.exec(shipped('nginx.conf'))?.[1]),
};

export type Proxy = typeof caddy;
