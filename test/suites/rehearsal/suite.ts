import type { PlainSuite } from '../suite.ts';
import { bareMachine } from './bare-machine.ts';
import { chapter } from './chapter.ts';
import { toPart } from './checks.ts';
import { image } from './image.ts';
import { nativeMachine } from './native-machine.ts';

const OPTIONS = {};

export const suite: PlainSuite<typeof OPTIONS> = {
  about: 'The runbook, command by command, behind a real Caddy; a bare Debian; systemd; and the image.',
  options: OPTIONS,
  parts: () => [chapter, bareMachine, nativeMachine, image].map(toPart),
  play: (options, runParts) => runParts(options),
};
