import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { temporaryFolder } from './child-server.ts';

const PAGE = '<div id="root"><h1>Hello</h1></div><script type="module" src="/entry.jsx"></script>';
const ENTRY = `import { hydrateRoot } from 'react-dom/client';
hydrateRoot(document.getElementById('root'), <h1>Hello</h1>);
`;

/** Bytes of script, in brotli, of a page that has React and nothing else, built as ours is. */
export const weighBareReactPage = async (): Promise<number> => {
  using folder = temporaryFolder();
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder.path, 'node_modules'));
  writeFileSync(join(folder.path, 'index.html'), PAGE);
  writeFileSync(join(folder.path, 'entry.jsx'), ENTRY);
  await build({
    configFile: false,
    logLevel: 'warn',
    root: folder.path,
    plugins: [react()],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { modulePreload: { polyfill: false } },
  });
  const assets = join(folder.path, 'dist/assets');
  return readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => brotliCompressSync(readFileSync(join(assets, name))).length)
    .reduce((sum, bytes) => sum + bytes, 0);
};
