import { hash } from 'node:crypto';

/** Runs inside the engine, in one step. Named by its content, so two versions of us do not get in each other's way. */
export type Script = { readonly lua: string; readonly sha: string };

export const defineScript = (lua: string): Script => ({ lua, sha: hash('sha1', lua) });
