import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegistry } from './registry.ts';

describe('render', () => {
  it('writes each metric once with its help and type, and every series of it', () => {
    const registry = createRegistry();
    registry.gauge('degrees', 'How warm', () => -1.5);
    const count = registry.counter<string>('eggs_total', 'Eggs by colour', { colour: ['white'] });
    registry.gaugeBy('hens', 'Hens by state', { state: () => ({ awake: 2, asleep: 0 }) });
    registry.withLabels({ farm: 'b' }).counter('eggs_total', 'Eggs by colour', { colour: [1] });
    registry.total('seeds_total', 'Seeds eaten', () => 1e21);
    count('brown');
    count('brown');
    expect(registry.render()).toBe(
      [
        '# HELP degrees How warm\n# TYPE degrees gauge\ndegrees -1.5\n',
        '# HELP eggs_total Eggs by colour\n# TYPE eggs_total counter\n',
        'eggs_total{colour="white"} 0\neggs_total{colour="brown"} 2\neggs_total{farm="b",colour="1"} 0\n',
        '# HELP hens Hens by state\n# TYPE hens gauge\nhens{state="awake"} 2\nhens{state="asleep"} 0\n',
        '# HELP seeds_total Seeds eaten\n# TYPE seeds_total counter\nseeds_total 1e+21\n',
      ].join(''),
    );
  });

  it('escapes what would end a label or a line', () => {
    const registry = createRegistry();
    registry.gaugeBy('odd', 'a \\ b\nc "d"', { name: () => ({ 'a"b\\c\nd': 1 }) });
    expect(registry.render()).toBe(
      '# HELP odd a \\\\ b\\nc "d"\n# TYPE odd gauge\nodd{name="a\\"b\\\\c\\nd"} 1\n',
    );
  });
});

it('histogram agrees with counting by hand', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 20, noNaN: true })), (durations) => {
      const registry = createRegistry();
      const observe = registry.withLabels({ a: 'b' }).histogram('x', 'X');
      for (const seconds of durations) observe(seconds);
      const text = registry.render();
      const buckets = [...text.matchAll(/^x_bucket\{a="b",le="(\S+)"\} (\d+)$/gm)];
      expect(buckets).toHaveLength(14);
      for (const [, bound = '', count] of buckets) {
        const most = Number(bound.replace('+Inf', 'Infinity'));
        expect(Number(count)).toBe(durations.filter((seconds) => seconds <= most).length);
      }
      expect(text).toContain(`x_count{a="b"} ${durations.length}\n`);
    }),
  );
});
