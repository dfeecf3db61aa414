import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { parseJsonBody } from './json-body.ts';

const parse = (text: string): object => parseJsonBody(Buffer.from(text));
const flat = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));

describe('parseJsonBody', () => {
  it('reads any flat object, however it is laid out', () => {
    fc.assert(
      fc.property(flat, fc.constantFrom(undefined, 1, '\t'), (body, indent) => {
        expect(parse(JSON.stringify(body, null, indent))).toEqual({ ...body });
      }),
    );
  });

  it.each([String.raw`{"a":"\":\"b\":"}`, '{"a:b":":::"}', String.raw`{"\\":"\\\""}`, '{ }'])(
    'is not misled by colons and quotes in texts: %s',
    (text) => expect(parse(text)).toEqual(JSON.parse(text)),
  );

  it('refuses a key that comes twice, wherever', () => {
    fc.assert(
      fc.property(flat, fc.string({ unit: 'grapheme' }), (body, key) => {
        const members = Object.entries({ ...body, [key]: 'once' }).map(
          ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
        );
        const text = `{${[...members, `${JSON.stringify(key)}:"twice"`].join(',')}}`;
        expect(() => parse(text)).toThrow(AppError);
      }),
    );
  });

  it.each(['', 'null', '1', '"x"', '[]', '{', '{"a":{"b":1}}', '{"a":[{"b":1}]}'])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'bad-request' }));
  });

  it('refuses bytes that are not UTF-8, even where JSON would take what they become', () => {
    expect(() => parseJsonBody(Buffer.from('{"a":"\xff"}', 'latin1'))).toThrow(AppError);
  });

  it('keeps __proto__ a key like any other, for the schema to refuse', () => {
    const body = parse('{"__proto__":"x"}');
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  it('throws nothing but a refusal, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseJsonBody(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
