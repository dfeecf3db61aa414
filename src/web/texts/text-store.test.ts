import { describe, expect, it } from 'vitest';
import { ENGLISH } from '#test/support/texts.ts';
import { createTextStore } from './text-store.ts';

const { live, captcha } = ENGLISH;
const noNetwork = (): never => {
  throw new TypeError('no network');
};
const setUp = (...answers: (() => Response)[]) => {
  const asked: unknown[] = [];
  const fetch = async (url: unknown): Promise<Response> => {
    asked.push(url);
    return answers.shift()?.() ?? Response.error();
  };
  const store = createTextStore({ language: 'en', sections: { live }, restUrl: '/rest.json' }, { fetch });
  return { store, asked };
};

describe('the texts of a page', () => {
  it('are fetched once, and added', async () => {
    const { store, asked } = setUp(() => Response.json({ captcha }));
    await Promise.all([store.loadRest(), store.loadRest()]);
    await store.loadRest();
    expect(asked).toEqual(['/rest.json']);
    expect(store.section('captcha')).toEqual(captcha);
    expect(store.section('live')).toBe(live);
  });

  it.each([
    ['the server refuses', () => Response.json({ captcha }, { status: 503 }), '503'],
    ['the answer is none', () => new Response('<h1>Hello</h1>'), 'JSON'],
    ['the network fails', noNetwork, 'no network'],
  ])('can be fetched again when %s', async (_, failing, message) => {
    const { store, asked } = setUp(failing, () => Response.json({ captcha }));
    await expect(store.loadRest()).rejects.toThrow(message);
    expect(() => store.section('captcha')).toThrow('not been loaded');
    await store.loadRest();
    expect(store.section('captcha')).toEqual(captcha);
    expect(asked).toHaveLength(2);
  });
});
