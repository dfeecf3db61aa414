import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { securityHeaders } from './security-headers.ts';

const headersOf = (publicUrl: string, cdnUrl = 'https://cdn.example.org/some/path?x#y') =>
  securityHeaders({ cdnUrl, publicUrl, inlineCode: { script: 'early()', style: 'a{}' } });

const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

describe('securityHeaders', () => {
  it('allows images of the CDN, inline code by its hash, and nothing else from elsewhere', () => {
    const policy = headersOf('https://example.org')['content-security-policy'] ?? '';
    const directives = new Map(policy.split('; ').map((part) => part.split(/ (.*)/) as [string, string]));
    expect(directives.get('img-src')).toBe("'self' https://cdn.example.org");
    expect(directives.get('script-src')).toBe(`'self' ${hashOf('early()')}`);
    expect(directives.get('style-src')).toBe(`'self' ${hashOf('a{}')}`);
    for (const name of ['img-src', 'script-src', 'style-src']) directives.delete(name);
    expect(new Set(directives.values())).toEqual(new Set(["'self'", "'none'"]));
    expect(directives.get('default-src')).toBe("'none'");
    expect(policy).not.toMatch(/unsafe|blob:|data:|\*/);
  });

  it('cannot be given a second directive by the address of the CDN', () => {
    const policy = headersOf('https://example.org', "https://cdn.example.org/; script-src 'unsafe-inline'");
    expect(policy['content-security-policy']).not.toContain('unsafe-inline');
  });

  it('turns on HSTS only where the site has https', () => {
    expect(headersOf('https://example.org')).toHaveProperty('strict-transport-security');
    expect(headersOf('http://localhost:8080')).not.toHaveProperty('strict-transport-security');
  });

  it('switches every feature off', () => {
    const policy = headersOf('https://example.org')['permissions-policy'] ?? '';
    for (const feature of policy.split(', ')) expect(feature).toMatch(/^[a-z-]+=\(\)$/);
    expect(policy).toContain('geolocation=()');
  });
});
