import { expect, it } from 'vitest';
import { renderResult } from './output.ts';

it('nothing that is printed steers the terminal, wherever it comes from', () => {
  // OSC 52 writes to the clipboard; U+009B begins a command as well as ESC [ does; the rest turns text around.
  const hostile = 'a\u001B]52;c;YQ==\u0007\u009B31m\u202Eb\u2066c\u{E0001}';
  const report = { data: { hostile }, lines: [hostile] };
  const json = renderResult(report, true);
  for (const printed of [json, renderResult(report, false)]) expect(printed).not.toMatch(/[^\P{C}\n]/u);
  expect(JSON.parse(json)).toMatchObject({ state: 'ok', hostile });
});
