import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '#test/support/certificate.ts';
import { findProgram } from '#test/support/debian-program.ts';
import { shippedFile, startProxyProcess, substitute, type Proxy } from './proxy-process.ts';

const PROGRAM = findProgram('usr/sbin/nginx');
const SHIPPED = shippedFile('nginx.conf');

/** What stands around a server in Debian's own nginx.conf, as far as it could change what is proxied. */
const AROUND = `
daemon off;
pid nginx.pid;
error_log stderr;
events { worker_connections 768; }
http {
  sendfile on;
  gzip on;
  access_log access.log;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include whoflake.conf;
}
`;

export const nginx: Proxy = {
  name: 'nginx',
  installed: PROGRAM !== null,
  upstreamIdleMs: () => Number(/keepalive_timeout (\d+)s;/.exec(readFileSync(SHIPPED, 'utf8'))?.[1]) * 1_000,
  impatience: { 'send_timeout 30s': 'send_timeout 1s' },
  start: async (ports, changes = {}) => {
    const running = await startProxyProcess(ports, (folder) => {
      const config = substitute(readFileSync(SHIPPED, 'utf8'), {
        'listen 80;': `listen 127.0.0.1:${ports.http};`,
        'listen [::]:80;': '',
        'listen 443 ssl http2;': `listen 127.0.0.1:${ports.https} ssl http2;`,
        'listen [::]:443 ssl http2;': '',
        'server 127.0.0.1:8080;': `server 127.0.0.1:${ports.upstream};`,
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
      return { program: PROGRAM ?? '', args: ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf', ...user] };
    });
    const readLog = (name: string): string => readFileSync(join(running.folder, name), 'utf8');
    return { ...running, ca: readLog('fullchain.pem'), log: () => running.log() + readLog('access.log') };
  },
};
