import { failures, names, profiles } from './lookups.ts';
import { modals } from './modals.ts';
import { pages } from './pages.ts';
import type { Scene } from './scene.ts';
import { statuses } from './statuses.ts';
import { withdrawals } from './withdrawals.ts';

/** By what a page can show one after the other. */
export const sceneGroups: Readonly<Record<string, readonly Scene[]>> = {
  pages,
  profiles,
  names,
  failures,
  modals,
  statuses,
  withdrawals,
};
