import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { bootMachine, type BootedMachine } from './booted-machine.ts';
import { demand, quote, say, until, type Rehearsal } from './checks.ts';
import { answers, install, makeRoot, nativeMachine } from './native-machine.ts';
import { prepareReleases, type Releases } from './releases.ts';
import { readBlocks } from './runbook.ts';

const CLONE = join(import.meta.dirname, '../../..');
const PASSWORD = 'nobody-sees-this-in-ps';
/** Downloaded before the machine is cut off, and installed in there: it is started by its own systemd. */
const PACKAGE = 'postgresql';
const APT = 'DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends';

/** What is typed with the alias of the runbook, by somebody whom it need not ask. */
const asUser = (block: string): string =>
  block
    .replaceAll(/^ops /gm, 'runuser -u whoflake -- ops ')
    .replaceAll(/(ops (?:move-records|restore .*\S))\s*$/gm, '$1 --yes');
const ops = ({ ask }: BootedMachine, line: string): string => ask(`runuser -u whoflake -- ops ${line}`) ?? '';
const optOuts = (machine: BootedMachine): number =>
  Number.parseInt(ops(machine, 'optout list | tail -1'), 10);
const current = ({ ask }: BootedMachine): string => ask('basename "$(readlink /opt/whoflake/current)"') ?? '';

const moveToPostgres = (machine: BootedMachine): void => {
  const [create = '', move = ''] = readBlocks('## From one machine to several', 'cluster.md');
  machine.type(`${APT} --no-download install ${PACKAGE}`);
  machine.type(
    create
      .replaceAll(/^/gm, 'runuser -u postgres -- ')
      .replace('--pwprompt ', '')
      .replace(/runuser -u postgres -- $/, ''),
  );
  machine.type(`runuser -u postgres -- psql -qc "alter role whoflake password '${PASSWORD}'"`);
  machine.type(`install -m 640 -g whoflake /dev/stdin /etc/whoflake/database-url <<< 'postgres://whoflake:${PASSWORD}@127.0.0.1/whoflake'
echo DATABASE_URL_FILE=/etc/whoflake/database-url >> /etc/whoflake/whoflake.env`);
  machine.type('runuser -u whoflake -- ops optout add 80351110224678912', 'failure');
  machine.type(asUser(move));
  demand(
    'it answers with its records in PostgreSQL',
    answers(machine) && ops(machine, 'status').includes('in PostgreSQL at'),
  );
};

const backUp = (machine: BootedMachine): void => {
  machine.type('runuser -u whoflake -- ops optout add 80351110224678912');
  const [block = ''] = readBlocks('## Backup', 'backup.md');
  machine.type(block);
  // Held up, so that it can be looked at.
  machine.type(`runuser -u postgres -- psql -q whoflake -c 'begin; lock table opt_out; select pg_sleep(5)' > /dev/null &
sleep 1
systemctl start whoflake-backup & job=$!
while kill -0 $job 2>/dev/null; do cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >> /tmp/seen || true; done
wait $job
grep -q pg_dump /tmp/seen`);
  demand(
    'no password was in the list of processes',
    machine.ask(`! grep -q ${PASSWORD} /tmp/seen && echo`) !== null,
  );
  const made = machine.ask('ls /var/backups/whoflake')?.split('\n') ?? [];
  demand(
    `the backups are there: ${made.join(', ')}`,
    made.length === 2 && made.every((name) => name.endsWith('.dump')),
  );
  demand('doctor knows their age', /^ok +backup /m.test(ops(machine, 'doctor')));
  machine.type('runuser -u whoflake -- ops optout add 80351110224678913');
  const [restore = ''] = readBlocks('### Backups', 'cluster.md');
  machine.type(asUser(restore.replaceAll(/ {2,}#.*$/gm, '').replace(/whoflake-\S+\.dump/, made[0] ?? '')));
  demand('it was restored', answers(machine) && optOuts(machine) === 1);
};

const startSecond = async (machine: BootedMachine): Promise<void> => {
  const env = {
    WHOFLAKE_ENV_FILE: '/etc/whoflake/whoflake.env',
    DATA_DIR: '/var/lib/second',
    PORT: 8090,
    ADMIN_PORT: 8092,
    SANDBOX_PORT: 8093,
  };
  const settings = Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`);
  machine.type(`install -d -o whoflake -m 700 /var/lib/second
systemd-run --quiet --unit=second --uid=whoflake --working-directory=/opt/whoflake/current ${settings.join(' ')} node bin/whoflake`);
  await until(2, 'a second node runs', () => machine.ask('curl -sf http://127.0.0.1:8090/healthz') !== null);
};

const upgrade = async (machine: BootedMachine, { broken, good, publish }: Releases): Promise<void> => {
  publish();
  const [block = '', back = ''] = readBlocks('## Upgrade');
  const first = current(machine);
  machine.type(`${block.trim()} ${broken}`, 'failure');
  demand(
    'a release that does not start is switched back by itself',
    current(machine) === first && answers(machine),
  );
  demand('with the database', optOuts(machine) === 1);
  await startSecond(machine);
  machine.type(block);
  demand(`${good} runs, and the second node too`, current(machine) === good && answers(machine));
  machine.type(
    'curl -sf http://127.0.0.1:8090/healthz\nrunuser -u whoflake -- ops optout add 80351110224678914',
  );
  machine.type(`${back.trim()} --with-database`, 'failure');
  demand('no backup is restored beneath a running node', current(machine) === good && answers(machine));
  machine.type(`systemctl stop second\n${back.trim()} --with-database`);
  demand('and once it has stopped, it is', current(machine) === first && answers(machine));
  demand('with the database from before', optOuts(machine) === 1);
};

const rehearse = async (): Promise<void> => {
  using folder = temporaryFolder();
  const root = join(folder.path, 'root');
  say('Making a machine…');
  makeRoot(root, folder.path, []);
  execFileSync(
    'chroot',
    [root, 'sh', '-c', `apt-get -qq update && ${APT} --download-only install ${PACKAGE}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const releases = prepareReleases(CLONE, join(root, 'srv/whoflake.git'), join(folder.path, 'work'));
  await using machine = await bootMachine(root);
  try {
    install(machine);
    moveToPostgres(machine);
    backUp(machine);
    await upgrade(machine, releases);
  } catch (error) {
    quote(machine.ask('journalctl --unit=whoflake* --unit=second --no-pager --lines=60') ?? '');
    throw error;
  }
};

export const postgresMachine: Rehearsal = {
  name: 'a node on PostgreSQL: move, backup, restore and upgrade, under systemd',
  whyNot: nativeMachine.whyNot,
  rehearse,
};
