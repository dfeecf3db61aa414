import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inlineCodeOf } from './inline-code.ts';

const named = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

describe('the code that stands in a page', () => {
  it('is named by the hash of exactly what stands between its tags', () => {
    const template = '<style>a{}\nb{}</style><script>first()</script>\n<script> second() </script>';
    expect(inlineCodeOf(template)).toEqual({
      scripts: [named('first()'), named(' second() ')],
      styles: [named('a{}\nb{}')],
    });
  });

  it('is not what is fetched', () => {
    const template = '<script type="module" src="/a.js"></script><link rel="stylesheet" href="/a.css">';
    expect(inlineCodeOf(template)).toEqual({ scripts: [], styles: [] });
  });
});
