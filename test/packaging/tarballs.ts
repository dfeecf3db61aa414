import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeFiles, type Changes } from '#test/support/change-files.ts';

/** Tarballs and checksums as `npm run release` makes them, of what is in a folder with the build in `built`. */
export const createTarballs = (repository: string, downloads: string) => {
  mkdirSync(downloads);
  const fileOf = (version: string): string => join(downloads, `whoflake-${version}.tar.gz`);
  const writeSums = (): void => {
    const sums = execFileSync('sh', ['-c', 'sha256sum *.tar.gz'], { cwd: downloads });
    writeFileSync(join(downloads, 'SHA256SUMS'), sums);
  };
  return {
    fileOf,
    sums: join(downloads, 'SHA256SUMS'),
    writeSums,
    /** Makes the tarball of a version, with `changes` to its files. */
    make: (version: string, changes: Changes = {}): void => {
      const name = `whoflake-${version}`;
      const folder = join(downloads, name);
      cpSync(repository, folder, { recursive: true });
      changeFiles(folder, {
        'package.json': (text) => JSON.stringify({ ...JSON.parse(text), version }),
        ...changes,
      });
      renameSync(join(folder, 'built'), join(folder, 'dist'));
      execFileSync('tar', ['-czf', fileOf(version), '--exclude=.git', name], { cwd: downloads });
      rmSync(folder, { recursive: true });
      writeSums();
    },
  };
};
