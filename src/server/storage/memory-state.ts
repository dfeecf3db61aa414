import type { System } from '#server/system.ts';
import { createMemoryLedger } from '#server/captcha/spent-proofs.ts';
import { createMemoryLimits } from '#server/visitors/visitor-counters.ts';
import type { SharedState } from './shared-state.ts';

/** For one process: everything is forgotten, and every open challenge dies, when it ends. */
export const createMemoryState = ({ system }: { readonly system: System }): SharedState => ({
  ledger: createMemoryLedger({ system }),
  limits: createMemoryLimits({ clock: system.clock }),
});
