import { execFileSync } from 'node:child_process';
import { changeFiles } from '#test/support/change-files.ts';

export type Releases = ReturnType<typeof prepareReleases>;

const MIGRATION = `
const rehearsed: Migration = {
  name: 'rehearsed',
  up: (db) => db.schema.createTable('rehearsed').addColumn('id', 'integer').execute(),
};
const MIGRATIONS`;
const withMigration = (text: string): string =>
  text.replace('\nconst MIGRATIONS', MIGRATION).replace(',\n];', ',\n  rehearsed,\n];');
const breakingStart = (text: string): string =>
  text.replace('  await app.start();', "  throw new Error('broken on purpose');");

/** A repository with what is committed in `clone`; later also a release that is good and one that is not. */
export const prepareReleases = (clone: string, repository: string, work: string) => {
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost', ...args], {
      cwd,
      encoding: 'utf8',
    });
  git('/', 'init', '--quiet', '--bare', '--initial-branch=main', repository);
  git(clone, 'push', '--quiet', repository, 'HEAD:refs/heads/main', 'HEAD:refs/tags/v0.0.1');
  git('/', 'clone', '--quiet', repository, work);
  changeFiles(work, { 'src/server/storage/migrate.ts': withMigration });
  git(work, 'commit', '--quiet', '--all', '--message=a new form of the database');
  git(work, 'tag', 'v9.0.0');
  changeFiles(work, { 'src/server/main.ts': breakingStart });
  git(work, 'commit', '--quiet', '--all', '--message=does not start');
  return {
    /** A branch: it changes the form of the database and then does not start. */
    broken: 'broken',
    /** The newest version: it changes the form of the database. */
    good: 'v9.0.0',
    /** Until then there is only what is committed in the clone. */
    publish: () => void git(work, 'push', '--quiet', 'origin', 'HEAD:refs/heads/broken', 'v9.0.0'),
  };
};
