import { plainSuite } from '../suite.ts';
import { bareMachine } from './bare-machine.ts';
import { chapter } from './chapter.ts';
import { nativeMachine } from './native-machine.ts';

const REHEARSALS = [chapter, bareMachine, nativeMachine];

export const suite = plainSuite({
  about: 'The runbook, command by command, behind a real Caddy; a bare Debian; and machines with systemd.',
  options: {},
  parts: () =>
    REHEARSALS.map(({ name, whyNot, rehearse }) => ({
      name,
      whyNot,
      run: async () => {
        const startMs = performance.now();
        await rehearse();
        return { count: 1, broken: 0, note: `${Math.round((performance.now() - startMs) / 1_000)} s` };
      },
    })),
});
