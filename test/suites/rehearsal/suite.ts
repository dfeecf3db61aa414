import { plainSuite } from '../suite.ts';
import { bareMachine } from './bare-machine.ts';
import { chapter } from './chapter.ts';
import { nativeMachine } from './native-machine.ts';

export const suite = plainSuite({
  about: 'The runbook, command by command, behind a real Caddy; a bare Debian; and a machine with systemd.',
  options: {},
  parts: () => [chapter, bareMachine, nativeMachine],
});
