import { plainSuite } from '../suite.ts';
import { chapter } from './chapter.ts';
import { nativeMachine } from './native-machine.ts';

export const suite = plainSuite({
  about: 'The runbook, command by command, behind a real Caddy, and on a Debian with systemd.',
  options: {},
  parts: () => [chapter, nativeMachine],
});
