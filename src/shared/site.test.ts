import { expect, it } from 'vitest';
import { idFieldName } from './site.ts';

it('the field for the id is named after the platform, in lower case, with one line for all that is no letter', () => {
  expect(['Discord', 'My  Chat-2', 'Ünder'].map(idFieldName)).toEqual([
    'discord_id',
    'my_chat_2_id',
    '_nder_id',
  ]);
});
