import { startTestApp } from '#test/support/test-app.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileText } from './hostile-text.ts';
import { createTally, type FuzzResult } from './tally.ts';

const BURST = 20;
const HEADERS = 'x-forwarded-for x-real-ip forwarded cf-connecting-ip true-client-ip x-client-ip'.split(' ');

const address = (dice: Dice): string =>
  dice.pick([
    () => [...dice.bytes(4)].join('.'),
    () => `2001:db8:${dice.below(2 ** 16).toString(16)}::${dice.below(2 ** 16).toString(16)}`,
    () => `::ffff:${[...dice.bytes(4)].join('.')}`,
    () => `[2001:db8::${dice.below(2 ** 16).toString(16)}]:${dice.below(65_536)}`,
    () => '127.0.0.1',
    // Header values are Latin-1 without controls; anything else would not leave a client.
    () => hostileText(dice).replaceAll(/[^\x20-\x7e]/g, '?'),
  ])();

const claims = (dice: Dice): Record<string, string> => ({
  'x-forwarded-for': [address(dice), ...dice.several(5, () => address(dice))].join(', '),
  ...Object.fromEntries(dice.several(3, () => [dice.pick(HEADERS), address(dice)] as const)),
});

/** An untrusted peer that claims another address with each request is still one visitor with one allowance. */
export const fuzzClientAddresses = async (seed: number, count: number): Promise<FuzzResult> => {
  await using test = await startTestApp({ env: { LOOKUPS_PER_MINUTE: '20', TRUSTED_PROXIES: '10.0.0.0/8' } });
  const dice = createDice(seed);
  const tally = createTally();
  for (let request = 0; request < count; request += 1) {
    const headers = claims(dice);
    const { statusCode } = await test.app.server.inject({
      url: '/challenge',
      remoteAddress: '198.51.100.7',
      headers,
    });
    const expected = request < BURST ? 200 : 429;
    tally.check(statusCode === expected, () => `${statusCode}: ${JSON.stringify(headers)}`);
  }
  return tally.result();
};
