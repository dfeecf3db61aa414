import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian keeps libraries of this machine's kind. */
const LIBRARIES = `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** Debian's packages that tests need, and the program of each. */
const PROGRAMS = {
  proxies: { caddy: 'usr/bin/caddy', 'nginx-light': 'usr/sbin/nginx', openssl: 'usr/bin/openssl' },
  stores: {
    'redis-server': 'usr/bin/redis-server',
    'postgresql-15': 'usr/lib/postgresql/15/bin/postgres',
    pgbouncer: 'usr/sbin/pgbouncer',
    libfaketime: `${LIBRARIES}/faketime/libfaketime.so.1`,
  },
  monitoring: { prometheus: 'usr/bin/promtool' },
  debootstrap: { debootstrap: 'usr/sbin/debootstrap' },
};

/**
 * Unpacks what is missing into `folder` and installs nothing: an installed server would be started now and at every
 * boot, and take the ports of whatever else runs here.
 */
export const unpackPrograms = (kind, folder, say) => {
  const missing = Object.entries(PROGRAMS[kind])
    .filter(([, path]) => !['/', folder].some((root) => existsSync(join(root, path))))
    .map(([name]) => name);
  if (missing.length === 0) return;
  const archives = join(folder, 'archives');
  const run = (command, args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    say(`Unpacking ${missing.join(', ')} from Debian…`);
    mkdirSync(join(archives, 'partial'), { recursive: true });
    if (process.getuid?.() === 0) run('apt-get', ['update', '-qq']);
    const options = [`Dir::Cache::Archives=${archives}`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root'];
    const quietly = ['-y', '-qq', '--no-install-recommends', ...options.flatMap((option) => ['-o', option])];
    run('apt-get', ['install', '--download-only', ...quietly, ...missing]);
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb')))
      run('dpkg-deb', ['--extract', join(archives, name), folder]);
  } catch {
    say(
      `${missing.join(', ')} not available, and could not be downloaded from Debian: tests that need it will be skipped.`,
    );
  } finally {
    rmSync(archives, { recursive: true, force: true });
  }
};
