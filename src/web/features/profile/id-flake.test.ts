import { describe, expect, it } from 'vitest';
import { colorOf, flakePath } from './id-flake.ts';

const IDS = ['441997505123577857', '776367000573177858', '1076972768253177859', '135359489430777860'];

describe('the flake of an id', () => {
  it('is always the same for one, and another for another', () => {
    expect(flakePath('441997505123577857')).toBe(flakePath('441997505123577857'));
    expect(new Set(IDS.map(flakePath)).size).toBe(IDS.length);
    expect(new Set(IDS.map(colorOf)).size).toBe(IDS.length);
  });

  it.each([...IDS, '1', '9223372036854775807'])('of %s is within its square, of six equal arms', (id) => {
    const numbers = (flakePath(id).match(/-?\d+\.\d/g) ?? []).map(Number);
    expect(Math.max(...numbers.map(Math.abs))).toBeLessThanOrEqual(50);
    expect((flakePath(id).match(/M/g)?.length ?? 0) % 6).toBe(0);
    expect(colorOf(id)).toMatch(/^oklch\(0\.6 0\.14 \d{1,3}\)$/);
  });
});
