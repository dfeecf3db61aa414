import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { demand, quote, say, until, withLimit } from './checks.ts';

export const NSPAWN = '/usr/bin/systemd-nspawn';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const HOUR_MS = 3_600_000;
/** How systemd-nspawn says that the machine wants to be started again. */
const REBOOT = 133;

export type BootedMachine = Awaited<ReturnType<typeof bootMachine>>;

/** The first process in there. It changes with every boot. */
const initOf = (pid: number): string => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children.split(' ').at(-1) ?? '';
};

const startNspawn = (root: string) => {
  const options = ['--boot', '--private-network', '--register=no', '--keep-unit', '--console=pipe'];
  // If we are killed, so is it.
  const nspawn = spawn(
    'setpriv',
    ['--pdeathsig', 'TERM', NSPAWN, ...options, '--machine=whoflake-rehearsal', `--directory=${root}`],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  );
  return { nspawn, ended: once(nspawn, 'exit') as Promise<[number | null]> };
};

/** A Debian with its own systemd, network and clock of processes, on the kernel of this machine. */
export const bootMachine = async (root: string) => {
  let { nspawn, ended } = startNspawn(root);
  const run = (script: string) => {
    const inside = ['--target', initOf(nspawn.pid ?? 0), '--all', '--', 'env', '-i', `PATH=${PATH}`];
    return spawnSync('nsenter', [...inside, 'HOME=/root', 'LANG=C.UTF-8', 'bash', '-euo', 'pipefail'], {
      input: script,
      encoding: 'utf8',
      timeout: HOUR_MS,
    });
  };
  const booted = (): Promise<void> =>
    until(3, 'the machine is up', () => {
      if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended with ${nspawn.exitCode}.`);
      const { stdout } = run('systemctl is-system-running');
      return /^(?:running|degraded)$/m.test(stdout);
    });
  await booted();
  return {
    /** Runs a script: what it prints, or null if it fails. */
    ask: (script: string): string | null => {
      const { status, stdout } = run(script);
      return status === 0 ? stdout.trim() : null;
    },
    /** Runs a script as root would type it, and shows both. Throws if it ends otherwise than it is expected to. */
    type: (script: string, expected: 'success' | 'failure' = 'success'): void => {
      say(script.trimEnd().replaceAll(/^/gm, '# '));
      const { status, stdout, stderr } = run(script);
      quote(stdout + stderr);
      if ((status === 0) !== (expected === 'success'))
        throw new Error(`${JSON.stringify(script.trim())} ended with ${status}; expected was ${expected}.`);
    },
    reboot: async (): Promise<void> => {
      say('# systemctl reboot');
      run('systemctl reboot');
      const [exitCode] = await withLimit(3, 'the machine goes down', ended);
      demand('the machine went down in order', exitCode === REBOOT);
      ({ nspawn, ended } = startNspawn(root));
      await booted();
    },
    [Symbol.asyncDispose]: async () => {
      // It shuts the machine down in order. A second signal does not wait for that.
      nspawn.kill('SIGTERM');
      await Promise.race([ended, setTimeout(60_000)]);
      if (nspawn.exitCode === null) nspawn.kill('SIGKILL');
      await ended;
    },
  };
};
