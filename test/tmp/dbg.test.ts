import { it } from 'vitest';
import { distinctIds, lookUpAll, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp } from '#test/support/test-app.ts';
it('dbg', async () => {
    await using test = await startTestApp({ tokens: 50, sandbox: { notFoundShare: 0 } });
    test.sandbox.faults.set({ status: 500 });
    await lookUpAll(test, distinctIds(5, 900));
    console.log(test.system.clock.monotonicMs(), test.sandbox.stats().byStatus, test.app.pool.counts());
    test.sandbox.faults.clear();
    test.sandbox.faults.set({ hang: { value: true, count: 1 } });
    await test.system.advance(1_000);
    const hopeful = Promise.all(distinctIds(20).map(async (id) => { const r = await test.lookUp(id); console.log(test.system.clock.monotonicMs(), verdictOf(r), r.json().retry_after)}));
    for (let i=0;i<24;i++) { await test.pass(500); console.log(test.system.clock.monotonicMs(), test.sandbox.stats().byStatus, test.app.pool.counts()); }
    await hopeful;
});
