import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Linux counts a process's CPU time in hundredths of a second, whatever its kernel's own tick. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat after the command's name, which may itself hold spaces. */
const UTIME = 11;
const STIME = 12;

/** The CPU time that a process used so far, with its garbage collector and other threads. */
export const cpuSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
};

/** The CPU time of this process so far, all its threads included: what else the machine does counts little in it. */
export const ownCpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** The cores this process may use, as the kernel lists them, such as `0-3,8`. */
const allowedCores = (): string =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';

const parseCores = (list: string): number[] =>
  list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

/** Part of util-linux; where it is missing nothing is pinned. */
const TASKSET = '/usr/bin/taskset';

const pin = (pid: number, cores: string): boolean =>
  spawnSync(TASKSET, ['-acp', cores, String(pid)], { stdio: 'ignore' }).status === 0;

/** Keeps the load (this process) and the servers on different cores until disposed of, where the machine lets us. */
export const separateCores = (serverPids: readonly number[]): Disposable & { readonly note: string } => {
  const before = allowedCores();
  const [serverCore, loadCore] = parseCores(before);
  const pinned =
    serverCore !== undefined &&
    loadCore !== undefined &&
    pin(process.pid, String(loadCore)) &&
    serverPids.every((pid) => pin(pid, String(serverCore)));
  return {
    note: pinned ? `server on core ${serverCore}, load on core ${loadCore}` : 'not pinned to cores',
    [Symbol.dispose]: () => void pin(process.pid, before),
  };
};
