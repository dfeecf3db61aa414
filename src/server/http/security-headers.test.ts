import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const policyOf = (cdnUrl: string): string =>
  securityHeaders({
    cdnUrl,
    publicUrl: 'https://example.org',
    inlineCode: { script: 'early()', style: 'a{}' },
  })['content-security-policy'] ?? '';

const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

it('allows images of the CDN and inline code by its hash', () => {
  const policy = policyOf('https://cdn.example.org/some/path?x#y');
  expect(policy).toContain("; img-src 'self' https://cdn.example.org;");
  expect(policy).toContain(`; script-src 'self' ${hashOf('early()')};`);
  expect(policy).toContain(`; style-src 'self' ${hashOf('a{}')};`);
});

it('cannot be given a second directive by the address of the CDN', () => {
  expect(policyOf("https://cdn.example.org/; script-src 'unsafe-inline'")).not.toContain('unsafe-inline');
});
