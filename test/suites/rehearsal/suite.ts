import { plainSuite } from '../suite.ts';
import { bareMachine } from './bare-machine.ts';
import { chapter } from './chapter.ts';
import { image } from './image.ts';
import { nativeMachine } from './native-machine.ts';
import { tarballMachine } from './tarball-machine.ts';
import { workflowParts } from './workflow-steps.ts';

const REHEARSALS = [chapter, bareMachine, tarballMachine, nativeMachine, image];

export const suite = plainSuite({
  about:
    'The runbook, command by command, behind a real Caddy; a bare Debian, from a clone and from a tarball; systemd; the image; and the workflows.',
  options: {},
  parts: () => [
    ...REHEARSALS.map(({ name, whyNot, rehearse }) => ({
      name,
      whyNot,
      run: async () => {
        const startMs = performance.now();
        await rehearse();
        return { count: 1, broken: 0, note: `${Math.round((performance.now() - startMs) / 1_000)} s` };
      },
    })),
    ...workflowParts(),
  ],
});
