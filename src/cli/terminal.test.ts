import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

/** Streams as a process has them, and all that was written to standard error. */
const createStreams = (isTTY: boolean) => {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const written: string[] = [];
  stderr.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  const terminal = createTerminal({ stdin, stderr } as never);
  return { stdin, terminal, written: () => written.join('') };
};

describe('the terminal', () => {
  it('asks, and shows what is typed', async () => {
    const { stdin, terminal, written } = createStreams(true);
    const answer = terminal.ask('Type yes: ');
    stdin.write('yes\r');
    expect(await answer).toBe('yes');
    expect(written()).toContain('Type yes: ');
    expect(written()).toContain('yes');
  });

  it('shows nothing of a secret, and turns the echo off before it asks, because people paste quickly', async () => {
    const events: string[] = [];
    const setRawMode = (on: boolean) => events.push(on ? 'echo off' : 'echo on');
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
    const stderr = { isTTY: true, write: (text: string) => events.push(text) };
    const answer = createTerminal({ stdin, stderr } as never).askSecret('Token: ');
    stdin.write('canary\r');
    expect(await answer).toBe('canary');
    expect(events).toEqual(['echo off', 'Token: ', 'echo on', '\n']);
  });

  it('takes Control and C for no answer', async () => {
    const { stdin, terminal } = createStreams(true);
    const answer = terminal.ask('Type yes: ');
    stdin.write('ye\u0003');
    expect(await answer).toBe('');
  });

  it('shows progress to people only, and asks nobody who is not there', () => {
    const person = createStreams(true);
    person.terminal.progress('1 of 2');
    expect(person.written()).toBe('\r\u001B[K1 of 2');
    const pipe = createStreams(false);
    pipe.terminal.progress('1 of 2');
    expect(pipe.written()).toBe('');
    expect([person, pipe].map(({ terminal }) => terminal.isInteractive)).toEqual([true, false]);
  });
});
