import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import loadWabt from 'wabt';

/** `import module from './kernel.wat'` is the bytes of the compiled module, in base64. */
export const wat = (): Plugin => ({
  name: 'wat',
  load: async (id: string) => {
    if (!id.endsWith('.wat')) return null;
    const wabt = await loadWabt();
    const parsed = wabt.parseWat(id, await readFile(id, 'utf8'), { simd: true });
    const { buffer } = parsed.toBinary({});
    return `export default ${JSON.stringify(Buffer.from(buffer).toString('base64'))};`;
  },
});
