import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };

/** Tarballs and checksums as `npm run release` makes them, of what is in a folder with the build in `built`. */
export const createTarballs = (repository: string, downloads: string) => {
  mkdirSync(downloads);
  const fileOf = (version: string): string => join(downloads, `whoflake-${version}.tar.gz`);
  const writeSums = (): void => {
    const sums = execFileSync('sh', ['-c', 'sha256sum *.tar.gz'], { cwd: downloads });
    writeFileSync(join(downloads, 'SHA256SUMS'), sums);
  };
  const pack = (version: string, fill: (folder: string) => void): void => {
    const name = `whoflake-${version}`;
    const folder = join(downloads, name);
    fill(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
    execFileSync('tar', ['-czf', fileOf(version), '--exclude=.git', name], { cwd: downloads });
    rmSync(folder, { recursive: true });
    writeSums();
  };
  return {
    fileOf,
    sums: join(downloads, 'SHA256SUMS'),
    writeSums,
    make: (version: string): void =>
      pack(version, (folder) => {
        cpSync(repository, folder, { recursive: true });
        renameSync(join(folder, 'built'), join(folder, 'dist'));
      }),
    /** One that has nothing but a version: for what is refused before it is installed. */
    makeSmall: (version: string): void => pack(version, (folder) => mkdirSync(folder)),
  };
};
