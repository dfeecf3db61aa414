import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

/** Streams as a process has them, and all that happens on them. */
const createStreams = (isTTY = true) => {
  const events: string[] = [];
  const setRawMode = (on: boolean) => events.push(on ? 'echo off' : 'echo on');
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on('data', (chunk: Buffer) => events.push(chunk.toString()));
  return { stdin, events, terminal: createTerminal({ stdin, stderr } as never) };
};

it('a question shows what is typed, and takes Control and C for no answer', async () => {
  const { stdin, terminal, events } = createStreams();
  const answer = terminal.ask('Type yes: ');
  stdin.write('yes\r');
  expect(await answer).toBe('yes');
  expect(events.join('')).toMatch(/Type yes: .*yes/s);
  const none = terminal.ask('Type yes: ');
  stdin.write('ye\u0003');
  expect(await none).toBe('');
});

it('a secret is not shown, and the echo is off before it is asked for, because people paste quickly', async () => {
  const { stdin, terminal, events } = createStreams();
  const answer = terminal.askSecret('Token: ');
  stdin.write('canary\r');
  expect(await answer).toBe('canary');
  expect(events).toEqual(['echo off', 'Token: ', 'echo on', '\n']);
});
