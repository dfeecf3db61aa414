import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ARCHITECTURES: Readonly<Record<string, string>> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };
const SCRIPTS = ['postinst', 'prerm', 'postrm'];

/** A hyphen would make `rc.1` Debian's revision; after a tilde it is older than the version itself. */
const debianVersion = (version: string): string => version.replace('-', '~');

const controlOf = (version: string, architecture: string, kilobytes: string): string => `Package: whoflake
Version: ${version}
Architecture: ${architecture}
Maintainer: The maintainers of Whoflake <https://github.com/whoflake/whoflake>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd
Recommends: systemd
Section: web
Priority: optional
Homepage: https://github.com/whoflake/whoflake
Description: lookup of public Discord profiles by user ID
 A web site for one machine or several, with a Node of its own.
`;

type Release = {
  /** Where it is unpacked. */
  readonly tree: string;
  readonly version: string;
  readonly platform: string;
  /** When it was committed: the same bytes whenever it is made. */
  readonly seconds: number;
};

/** Returns the name of the file, in `into`. */
export const makeDebianPackage = (
  { tree, version, platform, seconds }: Release,
  into: string,
  compression = 'gzip',
): string => {
  const architecture = ARCHITECTURES[platform] ?? platform;
  const root = `${tree}.root`;
  const at = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  const number = debianVersion(version);
  try {
    for (const name of SCRIPTS) cpSync(join(tree, 'ops/debian', name), at(`DEBIAN/${name}`));
    cpSync(join(tree, 'ops/whoflake.service'), at('usr/lib/systemd/system/whoflake.service'));
    cpSync(join(tree, 'ops/ops'), at('usr/bin/ops'));
    cpSync(join(tree, 'ops/whoflake.env.example'), at('etc/whoflake/whoflake.env'));
    cpSync(tree, at('opt/whoflake/package'), { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['640', at('etc/whoflake/whoflake.env')]);
    writeFileSync(at('DEBIAN/conffiles'), '/etc/whoflake/whoflake.env\n');
    const [kilobytes = ''] = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split(
      '\t',
    );
    writeFileSync(at('DEBIAN/control'), controlOf(number, architecture, kilobytes));
    const name = `whoflake_${number}_${architecture}.deb`;
    const options = ['--root-owner-group', `-Z${compression}`, '--build', root, join(into, name)];
    execFileSync('dpkg-deb', options, { env: { ...process.env, SOURCE_DATE_EPOCH: `${seconds}` } });
    return name;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};
