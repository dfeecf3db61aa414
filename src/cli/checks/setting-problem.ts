import type { State } from '../state.ts';

/** `failed`: the server would not start. `warning`: it would, but hardly as it was meant. */
export type SettingProblem = { readonly state: Exclude<State, 'ok'>; readonly problem: string };

export const warning = (problem: string): SettingProblem => ({ state: 'warning', problem });
export const failed = (problem: string): SettingProblem => ({ state: 'failed', problem });
