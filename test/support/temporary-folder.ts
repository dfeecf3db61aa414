import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own that is removed with all that is in it. */
export const temporaryFolder = (): Disposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), 'whoflake-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};
