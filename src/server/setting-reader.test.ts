import { describe, expect, it } from 'vitest';
import { OperatorError } from './operator-error.ts';
import { createSettingReader, type SettingReader } from './setting-reader.ts';

const noFile = (): never => {
  throw new Error('ENOENT: no such file, open /run/secrets/canary');
};
const readerOf = (env: Record<string, string | undefined>, readFile: (path: string) => string = noFile) =>
  createSettingReader(env, readFile);

/** What `take` yields for the value, and what the reader says about it. */
const taking = <T>(value: string | undefined, take: (read: SettingReader) => T): [T, readonly string[]] => {
  const read = readerOf({ NAME: value });
  return [take(read), read.problems()];
};

describe('text', () => {
  it.each([
    [undefined, 'fallback'],
    ['', 'fallback'],
    ['   ', 'fallback'],
    [' a b ', 'a b'],
  ])('%j is %j', (value, expected) => {
    expect(taking(value, (read) => read.text('NAME', 'fallback'))).toEqual([expected, []]);
  });
});

describe('integer', () => {
  const take = (read: SettingReader) => read.integer('NAME', 7, [1, 100]);

  it.each([
    [undefined, 7],
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('%j is %d', (value, expected) => expect(taking(value, take)).toEqual([expected, []]));

  it.each([
    '0',
    '101',
    '-1',
    '+1',
    '1.0',
    '1e1',
    '0x10',
    '1_0',
    '1 0',
    'ten',
    '９',
    '25 # my port',
    'a\u001Bb',
  ])('%j is refused, and not shown: it may be secret, or steer the terminal', (value) =>
    expect(taking(value, take)).toEqual([7, ['NAME: expected a whole number from 1 to 100.']]),
  );
});

describe('choice', () => {
  const take = (read: SettingReader) => read.choice('NAME', ['on', 'off'], 'on');

  it.each([
    [undefined, 'on'],
    ['off', 'off'],
  ])('%j is %s', (value, expected) => expect(taking(value, take)).toEqual([expected, []]));

  it.each(['OFF', 'true', 'on,off', '__proto__'])('%j is refused', (value) => {
    expect(taking(value, take)).toEqual(['on', ['NAME: expected one of on, off.']]);
  });
});

describe('url', () => {
  const take = (read: SettingReader) => read.url('NAME', 'http://localhost:8080');

  it.each([
    [undefined, 'http://localhost:8080'],
    ['https://example.org', 'https://example.org'],
    ['https://EXAMPLE.org:443/', 'https://example.org'],
    ['http://example.org:8080/path/', 'http://example.org:8080/path'],
  ])('%j is %s', (value, expected) => expect(taking(value, take)).toEqual([expected, []]));

  it.each([
    'example.org',
    '//example.org',
    'ftp://example.org',
    'javascript:alert(1)',
    'https://canary@example.org',
    'https://:canary@example.org',
    'https://canary:canary@example.org',
    'https://example.org/?token=canary',
    'https://example.org/#canary',
    'https://',
    'https://exa mple.org',
  ])('%j is refused, and not shown', (value) => {
    const problem =
      'NAME: expected an address such as https://example.org, without user name, query or fragment.';
    expect(taking(value, take)).toEqual(['http://localhost:8080', [problem]]);
  });
});

describe('an address that secrets are sent to', () => {
  const take = (read: SettingReader) => read.optionalUrl('NAME');

  it.each([
    [undefined, null],
    ['https://example.org/api/v10/', 'https://example.org/api/v10'],
    ['http://localhost:1', 'http://localhost:1'],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['http://127.9.9.9:1', 'http://127.9.9.9:1'],
    ['http://[::1]:1', 'http://[::1]:1'],
  ])('%j is %j', (value, expected) => expect(taking(value, take)).toEqual([expected, []]));

  it.each([
    'http://example.org',
    'http://10.0.0.1',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'http://[::2]',
  ])('%j needs https', (value) => {
    const [, problems] = taking(value, take);
    expect(problems).toEqual(['NAME: expected https (http is only allowed on this machine).']);
  });
});

describe('list', () => {
  const take = (read: SettingReader) =>
    read.list('NAME', (item) => (item.startsWith('x') ? { problem: 'starts with x' } : { value: item }));

  it('is separated by commas or white space', () => {
    expect(taking(' a,b  c,\n,d ', take)).toEqual([['a', 'b', 'c', 'd'], []]);
    expect(taking(undefined, take)).toEqual([[], []]);
  });

  it('says what is wrong with each item', () => {
    const problems = ['NAME: item 1 starts with x.', 'NAME: item 3 starts with x.'];
    expect(taking('x1,a,x2', take)).toEqual([['a'], problems]);
  });
});

describe('a list of secrets', () => {
  const take = (read: SettingReader) =>
    read.secretList('NAME', (item) =>
      item.startsWith('good') ? { value: item } : { problem: 'is not a secret' },
    );

  it('names a wrong item by its place and never by its text', () => {
    const read = readerOf({ NAME: 'good1 canary good2 canary' });
    expect(take(read)).toEqual(['good1', 'good2']);
    expect(read.problems()).toEqual(['NAME: item 2 is not a secret.', 'NAME: item 4 is not a secret.']);
  });

  it('may be in a file', () => {
    const paths: string[] = [];
    const read = readerOf({ NAME_FILE: '/run/secrets/name' }, (path) => {
      paths.push(path);
      return 'good1\ngood2\n';
    });
    expect(take(read)).toEqual(['good1', 'good2']);
    expect([paths, read.problems()]).toEqual([['/run/secrets/name'], []]);
  });

  it('is checked in the file as well', () => {
    const read = readerOf({ NAME_FILE: 'path' }, () => 'good1\n\n# canary canary\ngood2,canary\n');
    expect(take(read)).toEqual(['good1', 'good2']);
    expect(read.problems()).toEqual([
      'NAME_FILE: line 3 is not a secret.',
      'NAME_FILE: line 4 is not a secret.',
    ]);
  });

  it('in a file that cannot be read is a problem; the path may be the secret itself', () => {
    const read = readerOf({ NAME_FILE: 'canary' }, (path) => {
      throw new OperatorError(78, `The settings in ${path} cannot be read`, 'there is no such file.');
    });
    expect([take(read), read.problems()]).toEqual([
      [],
      ['NAME_FILE: the file cannot be read: there is no such file.'],
    ]);
  });

  it('comes from one place, not two', () => {
    const read = readerOf({ NAME: 'good1', NAME_FILE: 'path' }, () => 'good2');
    take(read);
    expect(read.problems()).toEqual(['NAME and NAME_FILE: set one of them, not both.']);
  });

  it('reads no file when none is named', () => {
    const read = readerOf({ NAME_FILE: ' ' });
    expect([take(read), read.problems()]).toEqual([[], []]);
  });
});

it('remembers each name once', () => {
  const read = readerOf({});
  read.text('A', '');
  read.integer('B', 1, [0, 2]);
  read.text('A', '');
  read.secretList('C', (value) => ({ value }));
  expect(read.names()).toEqual(['A', 'B', 'C', 'C_FILE']);
});
