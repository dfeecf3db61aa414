/** Of a command, and of each thing that it looked at. Only `failed` ends a command with another code than 0. */
export type State = 'ok' | 'warning' | 'failed';

export const worstOf = (states: readonly State[]): State =>
  states.includes('failed') ? 'failed' : states.includes('warning') ? 'warning' : 'ok';
