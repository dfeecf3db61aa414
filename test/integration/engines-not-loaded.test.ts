import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const SERVER = join(import.meta.dirname, '../../src/server');

/** Everything that is loaded to open the records and put the app together. */
const loadedWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const script = `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    const [server] = process.argv.slice(1);
    const { readSettings } = await import(server + '/read-settings.ts');
    const { openRecords } = await import(server + '/open-records.ts');
    const { realSystem } = await import(server + '/system.ts');
    await import(server + '/app.ts');
    const settings = readSettings(process.env);
    await openRecords(settings.config, realSystem).then((records) => records.close(), () => {});
    console.log(loaded.join('\\n'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, SERVER], {
    env: { ...env },
    cwd: env['DATA_DIR'],
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
};

it('neither engine is loaded unless its setting is there', async () => {
  using folder = temporaryFolder();
  const env = { DATA_DIR: folder.path };
  const loaded = await loadedWith(env);
  expect(loaded).toContain('/open-records.ts');
  expect(loaded).not.toMatch(/node_modules\/(?:pg|@redis)\b/);
  expect(await loadedWith({ ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatch(
    /node_modules\/pg\//,
  );
});
