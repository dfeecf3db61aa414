import { createHash } from 'node:crypto';

/** The scripts and styles that stand in a page itself, as the content security policy names them: by their hashes. */
export type InlineCode = { readonly scripts: readonly string[]; readonly styles: readonly string[] };

/** Reads them out of the template, which is ours alone: what settings put into a page later is not allowed to run. */
export const inlineCodeOf = (template: string): InlineCode => ({
  scripts: sourcesOf(template, 'script'),
  styles: sourcesOf(template, 'style'),
});

const sourcesOf = (template: string, tag: string): string[] =>
  [...template.matchAll(new RegExp(`<${tag}>(.+?)</${tag}>`, 'gs'))].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
