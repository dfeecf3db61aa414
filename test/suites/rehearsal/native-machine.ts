import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzResult } from '#test/fuzz/tally.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  addNode,
  makeDebian,
  registrySettings,
  whyNoBareRoot,
  whyNoProgram,
  writeNpmSettings,
} from './bare-root.ts';
import { bootMachine, NSPAWN, type BootedMachine } from './booted-machine.ts';
import type { Part } from '../suite.ts';
import { demand, quote, say, until } from './checks.ts';
import { prepareReleases, type Releases } from './releases.ts';
import { readBlocks } from './runbook.ts';

const CLONE = join(import.meta.dirname, '../../..');
const BASE = ['systemd', 'systemd-sysv', 'dbus', 'git', 'curl', 'libatomic1'];
const UPGRADE = '/opt/whoflake/current/ops/upgrade.sh';
/** Ten times systemd's exposure level, which goes from 0 for none to 10. */
const MAX_EXPOSURE = 15;

/** Does to the settings what a person would. */
const EDITOR = `#!/bin/sh
sed -i 's/^PLATFORM=.*/PLATFORM=sandbox/; s/whoflake\\.example\\.org/lookup.test/; s/donate\\.example\\.org/donate.test/' "$1"
`;

/** The npm packages are copied into it: the machine has no network but its own. */
const makeRoot = (root: string, folder: string): void => {
  makeDebian(root, BASE);
  addNode(root, 'usr/local', process.execPath);
  execFileSync('ln', ['-s', '/usr/local/bin/node', join(root, 'usr/bin/node')]);
  writeFileSync(join(root, 'usr/local/bin/editor'), EDITOR, { mode: 0o755 });
  writeNpmSettings(root, ['offline=true']);
  const npm = join(folder, 'packages');
  mkdirSync(npm);
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(CLONE, name), join(npm, name));
  const cache = `--cache=${join(root, 'root/.npm')}`;
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent', cache], {
    cwd: npm,
    env: { ...process.env, ...registrySettings() },
  });
};

const pidOf = ({ ask }: BootedMachine): string =>
  ask('systemctl show --property=MainPID --value whoflake') ?? '0';
const answers = ({ ask }: BootedMachine): boolean =>
  ask('curl -sf --max-time 5 http://127.0.0.1:8080/healthz') !== null;
const journalHas = ({ ask }: BootedMachine, words: string): boolean =>
  ask(`journalctl --unit=whoflake --no-pager --output=cat | grep -F -- '${words}'`) !== null;

const install = (machine: BootedMachine): void => {
  const [clone = ''] = readBlocks('### From a clone');
  machine.type(clone.replace('https://github.com/whoflake/whoflake', '/srv/whoflake.git'));
  // The first two lines are about the tarball.
  const [tarball = ''] = readBlocks('### From the tarball');
  machine.type(tarball.split('\n').slice(2).join('\n'));
  demand('systemctl returned when it answers', answers(machine));
  const exposure = machine.ask(
    `systemd-analyze security whoflake --no-pager --threshold=${MAX_EXPOSURE} | tail -1`,
  );
  say(`  ${exposure ?? 'the exposure is too high'}`);
  demand(`systemd reckons an exposure of ${MAX_EXPOSURE / 10} at most`, exposure !== null);
};

const misconfigure = (machine: BootedMachine): void => {
  const before = pidOf(machine);
  machine.type('echo LOG_LEVEL=verbose >> /etc/whoflake/whoflake.env');
  machine.type('systemctl reload whoflake', 'failure');
  demand('the server goes on as it was', pidOf(machine) === before && answers(machine));
  machine.type('systemctl restart whoflake', 'failure');
  demand('the journal names what is wrong', journalHas(machine, 'LOG_LEVEL: expected'));
  machine.type("sed -i '/^LOG_LEVEL=/d' /etc/whoflake/whoflake.env\nsystemctl restart whoflake");
  demand('it answers again', answers(machine));
};

const stopCrashAndReload = async (machine: BootedMachine): Promise<void> => {
  machine.type('systemctl stop whoflake');
  const result = machine.ask('systemctl show --property=Result,ExecMainStatus --value whoflake');
  demand('it stopped in order', result === 'success\n0');
  machine.type('systemctl start whoflake');
  demand('it answers as soon as it is started', answers(machine));
  const before = pidOf(machine);
  machine.type(`kill -9 ${before}`);
  // It answers a moment before systemd knows.
  const isActive = (): boolean => machine.ask('systemctl is-active whoflake') === 'active';
  await until(2, 'it is back after a crash', () => pidOf(machine) !== before && isActive());
  demand('and answers', answers(machine));
  const running = pidOf(machine);
  machine.type('echo LOG_LEVEL=debug >> /etc/whoflake/whoflake.env\nsystemctl reload whoflake');
  await until(1, 'SIGHUP has it read its settings', () => journalHas(machine, 'settings-reloaded'));
  machine.type("sed -i '/^LOG_LEVEL=/d' /etc/whoflake/whoflake.env\nkill -HUP " + running);
  demand('and does no harm', pidOf(machine) === running && answers(machine));
};

const backUp = (machine: BootedMachine): Promise<void> =>
  until(2, 'the server has made a backup', () =>
    /^whoflake-\S+\.sqlite$/m.test(machine.ask('ls /var/lib/whoflake-backups') ?? ''),
  );

const upgrade = (machine: BootedMachine, { broken, good, publish }: Releases): void => {
  publish();
  const [, back = ''] = readBlocks('## Upgrade');
  const current = (): string => machine.ask('basename "$(readlink /opt/whoflake/current)"') ?? '';
  const optOuts = (): string | null => machine.ask('ops optout list | tail -1');
  const first = current();
  machine.type('ops optout add 80351110224678912');
  machine.type(`${UPGRADE} ${broken}`, 'failure');
  demand('a release that does not start is switched back by itself', current() === first && answers(machine));
  demand('with the database', optOuts()?.startsWith('1 ') === true);
  // The newest: the other one is no version.
  machine.type(UPGRADE);
  demand(`${good} runs`, current() === good && answers(machine));
  machine.type('ops optout add 80351110224678913');
  machine.type(back, 'failure');
  demand('what would lose records is refused', current() === good && optOuts()?.startsWith('2 ') === true);
  machine.type(`${back.trim()} --with-database`);
  demand('and done if it is asked for', current() === first && answers(machine));
  demand('with the database from before', optOuts()?.startsWith('1 ') === true);
};

const reboot = async (machine: BootedMachine): Promise<void> => {
  await machine.reboot();
  await until(2, 'Whoflake is up after a reboot', () => answers(machine));
  const metrics = machine.ask('curl -sf http://127.0.0.1:8082/metrics | grep ^whoflake_build_info');
  demand('the admin listener is its own', metrics !== null);
};

const rehearse = async (): Promise<FuzzResult> => {
  using folder = temporaryFolder();
  const root = join(folder.path, 'root');
  say('Making a machine…');
  makeRoot(root, folder.path);
  const releases = prepareReleases(CLONE, join(root, 'srv/whoflake.git'), join(folder.path, 'work'));
  await using machine = await bootMachine(root);
  try {
    install(machine);
    misconfigure(machine);
    await stopCrashAndReload(machine);
    await backUp(machine);
    upgrade(machine, releases);
    await reboot(machine);
    return { count: 1, broken: 0 };
  } catch (error) {
    quote(machine.ask('journalctl --unit=whoflake* --no-pager --lines=40') ?? '');
    throw error;
  }
};

export const nativeMachine: Part<unknown> = {
  name: 'the chapters "Install" and "Upgrade", under systemd',
  whyNot: () => whyNoBareRoot() ?? whyNoProgram(NSPAWN, 'systemd-container'),
  run: rehearse,
};
