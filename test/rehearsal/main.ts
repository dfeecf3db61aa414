import { bareMachine } from './bare-machine.ts';
import { chapter } from './chapter.ts';
import { image } from './image.ts';
import { nativeMachine } from './native-machine.ts';
import { runParts } from './part.ts';

// Words choose parts: npm run rehearsal -- systemd
const words = process.argv.slice(2);
const parts = [chapter, bareMachine, nativeMachine, image].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
process.exitCode = (await runParts(parts)) ? 0 : 1;
