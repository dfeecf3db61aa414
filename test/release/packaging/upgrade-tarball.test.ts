// @module-tag slow
import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReleaseMachine, ends } from './release-machine.ts';
import { createTarballs } from './tarballs.ts';

describe.runIf(process.platform === 'linux')('ops/upgrade.sh with a tarball', () => {
  let machine: Awaited<ReturnType<typeof createReleaseMachine>>;
  let tarballs: ReturnType<typeof createTarballs>;
  beforeAll(async () => {
    machine = await createReleaseMachine();
    // There is no clone either, and no git: all it needs is in the tarball.
    for (const name of ['git', 'npm', 'npx'])
      writeFileSync(machine.at(`bin/${name}`), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    tarballs = createTarballs(machine.at('repository'), machine.at('downloads'));
    tarballs.make('1.0.0');
  });
  afterAll(() => machine?.[Symbol.dispose]());
  const releases = (): string[] => readdirSync(machine.at('whoflake/releases')).toSorted();

  it('installs it, and starts nothing', () => {
    expect(machine.upgrade('--rollback')).toEqual({ status: 1, said: 'Nothing is installed yet.\n' });
    expect(machine.upgrade('downloads/whoflake-1.0.0.tar.gz')).toEqual({
      status: 0,
      said: 'Unpacking v1.0.0…\nv1.0.0 is installed. Nothing is running yet.\n',
    });
    expect(machine.current()).toBe('releases/v1.0.0');
    expect(machine.systemctl('restart').status).toBe(0);
  });

  it('changes over to another, with a backup', () => {
    tarballs.make('1.1.0');
    expect(machine.upgrade(tarballs.fileOf('1.1.0'))).toEqual(ends(0, 'v1.1.0 runs. Back to v1.0.0: '));
    expect([machine.current(), machine.running()]).toEqual(['releases/v1.1.0', 'v1.1.0']);
    expect(readdirSync(machine.at('backups'))).toEqual([expect.stringMatching(/^before-v1\.1\.0-/)]);
    expect(machine.upgrade(tarballs.fileOf('1.1.0'))).toEqual({
      status: 0,
      said: 'v1.1.0 is already installed.\n',
    });
  });

  it('goes back', () => {
    expect(machine.upgrade('--rollback')).toEqual({ status: 0, said: 'v1.0.0 runs.\n' });
  });

  describe('touches nothing', () => {
    const refused = (path: string, sentence: string): void => {
      const before = releases();
      expect(machine.upgrade(path)).toEqual(
        ends(1, new RegExp(`${RegExp.escape(sentence)}.*: nothing was changed\\.`)),
      );
      expect([machine.running(), releases()]).toEqual(['v1.0.0', before]);
    };

    it('without the file, or with another name', () => {
      refused(tarballs.fileOf('7.0.0'), `There is no file ${tarballs.fileOf('7.0.0')}`);
      writeFileSync(machine.at('downloads/latest.tar.gz'), 'x');
      refused(machine.at('downloads/latest.tar.gz'), 'latest.tar.gz is not named whoflake-<version>.tar.gz');
    });

    it('without a checksum that can be read', () => {
      tarballs.makeSmall('1.3.0');
      const path = tarballs.fileOf('1.3.0');
      renameSync(tarballs.sums, machine.at('downloads/kept'));
      refused(path, `There is no file ${tarballs.sums}`);
      mkdirSync(tarballs.sums);
      refused(path, `There is no file ${tarballs.sums}`);
      rmSync(tarballs.sums, { recursive: true });
      for (const junk of [
        '',
        '\0\0\n',
        'whoflake-1.3.0.tar.gz\n',
        `${'a'.repeat(64)}  whoflake-1.3.0.tar\n`,
      ]) {
        writeFileSync(tarballs.sums, junk);
        refused(path, `${tarballs.sums} has no checksum of whoflake-1.3.0.tar.gz`);
      }
      renameSync(machine.at('downloads/kept'), tarballs.sums);
    });

    it('if the checksum is another', () => {
      writeFileSync(tarballs.sums, `${'a'.repeat(64)}  whoflake-1.3.0.tar.gz\n`);
      refused(tarballs.fileOf('1.3.0'), 'whoflake-1.3.0.tar.gz does not have the checksum that');
      tarballs.makeSmall('1.3.0');
      truncateSync(tarballs.fileOf('1.3.0'), 100);
      refused(tarballs.fileOf('1.3.0'), 'whoflake-1.3.0.tar.gz does not have the checksum that');
    });

    it('if it is no release, or cannot be unpacked', () => {
      tarballs.makeSmall('1.3.0');
      renameSync(tarballs.fileOf('1.3.0'), tarballs.fileOf('1.4.0'));
      tarballs.writeSums();
      refused(tarballs.fileOf('1.4.0'), 'whoflake-1.4.0.tar.gz is not a release of Whoflake');
      writeFileSync(tarballs.fileOf('1.4.0'), 'junk');
      tarballs.writeSums();
      refused(tarballs.fileOf('1.4.0'), 'v1.4.0 could not be unpacked');
    });

    it('if that version is here from another tarball', () => {
      tarballs.makeSmall('1.1.0');
      refused(tarballs.fileOf('1.1.0'), 'v1.1.0 is already here, but was made of another commit or tarball');
    });

    it('if only signatures count, or there is no clone to take a version from', () => {
      tarballs.makeSmall('1.5.0');
      expect(machine.upgradeSigned(tarballs.fileOf('1.5.0'))).toEqual(
        ends(1, 'A tarball has no signature that git trusts: nothing was changed.'),
      );
      refused('v1.5.0', 'There is no clone in');
      expect(machine.upgrade(tarballs.fileOf('1.5.0'), '--backup')).toEqual(ends(1, 'usage: '));
      expect(machine.running()).toBe('v1.0.0');
    });
  });
});
