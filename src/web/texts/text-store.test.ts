import { expect, it } from 'vitest';
import { ENGLISH } from '#test/support/texts.ts';
import { createTextStore } from './text-store.ts';

it('texts that could not be fetched are fetched again, and once they are there no more', async () => {
  const { captcha } = ENGLISH;
  const answers = [Response.json({ captcha }, { status: 503 }), Response.json({ captcha })];
  const fetch = async (): Promise<Response> => answers.shift() ?? Response.error();
  const store = createTextStore({ language: 'en', sections: {}, restUrl: '/rest.json' }, { fetch });
  await expect(store.loadRest()).rejects.toThrow('503');
  expect(() => store.section('captcha')).toThrow('not been loaded');
  await Promise.all([store.loadRest(), store.loadRest()]);
  await store.loadRest();
  expect(store.section('captcha')).toEqual(captcha);
});
