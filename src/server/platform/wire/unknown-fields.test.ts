import { expect, it } from 'vitest';
import { createUnknownFields } from './discord-objects.ts';

it('names what the platform sends and we do not know, without its value', () => {
  const fields = createUnknownFields();
  fields.seeUser({
    id: '1',
    username: 'a',
    avatar: null,
    collectibles: { nameplate: {}, aura: { asset: 'x' } },
  });
  fields.seeUser({ id: '1', username: 'a', mood: 'secret' });
  fields.seeUser(null);
  expect(fields.names()).toEqual(['collectibles.aura', 'mood']);
});

it('keeps few names, and none that is no name', () => {
  const fields = createUnknownFields();
  fields.seeUser({ '123456789012345678': 1, 'a b': 1, ['x'.repeat(41)]: 1, Ünicode: 1 });
  expect(fields.names()).toEqual([]);
  for (let n = 0; n < 1_000; n += 1) fields.seeUser({ [`field_${n}`]: n });
  expect(fields.names()).toHaveLength(20);
});
