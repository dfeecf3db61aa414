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

export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
