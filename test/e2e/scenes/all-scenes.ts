import { failures, names, profiles } from './lookups.ts';
import { modals } from './modals.ts';
import { pages } from './pages.ts';
import { recents } from './recents.ts';
import type { Scene } from './scene.ts';
import { statuses } from './statuses.ts';
import { withdrawals } from './withdrawals.ts';

export const allScenes: readonly Scene[] = [
  ...pages,
  ...profiles,
  ...names,
  ...failures,
  ...recents,
  ...modals,
  ...statuses,
  ...withdrawals,
];
