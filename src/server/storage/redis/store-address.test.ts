import { expect, it } from 'vitest';
import { parseStoreAddress } from './store-address.ts';

const plain = {
  host: 'store.example',
  port: 6379,
  tls: false,
  username: '',
  password: '',
  database: 0,
  prefix: 'wf',
};

it.each([
  ['redis://store.example', plain],
  ['valkey://store.example/', plain],
  ['rediss://store.example', { ...plain, tls: true }],
  ['valkeys://store.example:7000/3', { ...plain, tls: true, port: 7000, database: 3 }],
  ['redis://:p%40ss@store.example', { ...plain, password: 'p@ss' }],
  ['redis://me:secret@store.example', { ...plain, username: 'me', password: 'secret' }],
  ['redis://[::1]:6380', { ...plain, host: '::1', port: 6380 }],
  ['redis://store.example?prefix=other-site', { ...plain, prefix: 'other-site' }],
])('%s', (text, address) => expect(parseStoreAddress(text)).toEqual(address));

it.each([
  '',
  'store.example:6379',
  'https://store.example',
  'postgres://store.example',
  'redis://',
  'redis:///0',
  'redis://store.example/zero',
  'redis://store.example/0/1',
  'redis://store.example#0',
  'redis://store.example?prefix=',
  'redis://store.example?prefix=a:b',
  'redis://store.example?db=1',
  'rediss://store.example?prefix=a&prefix=b',
  'rediss://store.example?tls=false',
  'rediss://store.example?rejectUnauthorized=false',
  'redis://:%zz@store.example',
])('is not: %s', (text) => expect(parseStoreAddress(text)).toBeUndefined());
