// TypeScript takes `en.d.json.ts` for the type of `en.json`: with literals it knows the names in their braces.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fileAt = (path) => fileURLToPath(new URL(`../src/texts/${path}`, import.meta.url));

const typeOf = (value) => {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `readonly [${value.map(typeOf).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([key, text]) => `readonly ${JSON.stringify(key)}: ${typeOf(text)};`,
  );
  return `{ ${fields.join(' ')} }`;
};

export const writeTextTypes = () => {
  const { '//': _note, ...texts } = JSON.parse(readFileSync(fileAt('en.json'), 'utf8'));
  const code = `declare const texts: ${typeOf(texts)};\nexport = texts;\n`;
  const file = fileAt('en.d.json.ts');
  try {
    if (readFileSync(file, 'utf8') === code) return;
  } catch {
    // There is none yet.
  }
  writeFileSync(file, code);
};
