import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { STATUS } from '#test/support/site.ts';
import { createStaticFile } from './static-file.ts';
import { createStatusPage } from './status-page.ts';

describe('createStatusPage', () => {
  it('has the figures of the moment, and renders them once a second at most', async () => {
    const system = createFakeSystem({ wallMs: 1_794_700_000_000 });
    let served = 0;
    let rendered = 0;
    const page = createStatusPage({
      clock: system.clock,
      readStatus: () => ({ ...STATUS, lookups_last_hour: { served, refused: 0 } }),
      pages: {
        statusPage: (status) => {
          rendered += 1;
          return createStaticFile(() => Buffer.from(String(status.lookups_last_hour.served)), 'text/html');
        },
      },
    });
    const text = () => page().identity.bytes.toString();
    expect(text()).toBe('0');
    served = 7;
    await system.advance(999);
    expect([text(), rendered]).toEqual(['0', 1]);
    await system.advance(1);
    expect([text(), text(), rendered]).toEqual(['7', '7', 2]);
  });
});
