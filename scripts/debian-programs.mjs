import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

const PROGRAMS = {
  proxies: { caddy: 'usr/bin/caddy', 'nginx-light': 'usr/sbin/nginx' },
  stores: {
    postgresql: 'usr/lib/postgresql/*/bin/postgres',
    pgbouncer: 'usr/sbin/pgbouncer',
    libfaketime: `${LIBRARIES}/faketime/libfaketime.so.1`,
  },
  packages: { debootstrap: 'usr/sbin/debootstrap' },
  monitoring: { prometheus: 'usr/bin/promtool' },
};

/** A star is the name of any one folder: PostgreSQL's has its version. */
const isThere = (root, path) => {
  const [folder, inside] = path.split('/*/');
  const above = join(root, folder);
  if (inside === undefined) return existsSync(above);
  if (!existsSync(above)) return false;
  return readdirSync(above).some((name) => existsSync(join(above, name, inside)));
};

const unpack = async (names, folder, run) => {
  const archives = join(folder, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  try {
    const options = [`Dir::Cache::Archives=${archives}`, 'Debug::NoLocking=1', 'APT::Sandbox::User=root'];
    const quietly = ['-y', '-qq', '--no-install-recommends', ...options.flatMap((option) => ['-o', option])];
    await run('apt-get', ['install', '--download-only', ...quietly, ...names]);
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb')))
      await run('dpkg-deb', ['--extract', join(archives, name), folder]);
  } finally {
    rmSync(archives, { recursive: true, force: true });
  }
};

/** Installs nothing: an installed server would start at once and at every boot, on ports that others use. */
export const unpackPrograms = async (wanted, folder, run, say) => {
  const missing = Object.entries(PROGRAMS)
    .filter(([kind]) => wanted.has(kind))
    .map(([, programs]) =>
      Object.keys(programs).filter((name) => !['/', folder].some((root) => isThere(root, programs[name]))),
    )
    .filter(({ length }) => length > 0);
  if (missing.length > 0 && process.getuid?.() === 0) await run('apt-get', ['update', '-qq']).catch(() => {});
  for (const names of missing) {
    say(`Unpacking ${names.join(', ')} from Debian…`);
    await unpack(names, folder, run).catch(() =>
      say(
        `${names.join(', ')} not available, and could not be downloaded from Debian: tests that need it will be skipped.`,
      ),
    );
  }
};
