import { describe, expect, it } from 'vitest';
import { renderResult, table, visible } from './output.ts';

describe('output', () => {
  it('does not let a name steer the terminal', () => {
    expect(visible('Snow\u001B[31m\n\u202Edrop')).toBe('Snow\uFFFD[31m\uFFFD\uFFFDdrop');
    expect(table(['N'], [['a\rb']])).toContain('a\uFFFDb');
    expect(visible('Café – 雪 ❄')).toBe('Café – 雪 ❄');
  });

  it('lets nothing that is printed steer the terminal, wherever it comes from', () => {
    // OSC 52 writes to the clipboard; U+009B begins a command as well as ESC [ does; the rest turns text around.
    const hostile = 'a\u001B]52;c;YQ==\u0007\u009B31m\u202Eb\u2066c\u{E0001}';
    const report = { data: { hostile }, lines: [hostile, { kind: 'state' as const, text: `ok ${hostile}` }] };
    const paint = (_style: string, text: string): string => text;
    const lines = renderResult(report, { json: false, paint });
    const json = renderResult(report, { json: true, paint });
    for (const printed of [lines, json]) expect(printed).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(json)).toMatchObject({ hostile });
  });

  it('has a colour for headings and states, where it is asked for', () => {
    const rows = [
      ['ok', 'disk'],
      ['warning', 'okra'],
      ['failed', 'ok'],
    ];
    const lines = [...table(['STATE', 'WHAT'], rows), 'ok so far'];
    const paint = (style: string, text: string) => `<${style}>${text}</>`;
    expect(renderResult({ data: {}, lines }, { json: false, paint })).toBe(
      '<bold>STATE    WHAT</>\n<green>ok</>       disk\n<yellow>warning</>  okra\n<red>failed</>   ok\nok so far\n',
    );
    expect(renderResult({ data: { a: 1 }, lines }, { json: true, paint })).toBe(
      '{\n  "state": "ok",\n  "a": 1\n}\n',
    );
  });
});
