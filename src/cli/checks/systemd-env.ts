/** A comment, or a name, what is in quotes, and the rest up to the end of the line, which a backslash puts off. */
const LINE =
  /^[^\S\n]*(?:[#;](?:\\[^]|[^\n\\])*|([^\n=]*)=((?:[^\S\n]*(?:'[^']*'?|"(?:\\[^]|[^"\\])*"?))*)[^\S\n]*((?:\\[^]|[^\n\\])*))/gm;
const QUOTED = /'([^']*)'?|"((?:\\[^]|[^"\\])*)"?/g;

/** As systemd reads an `EnvironmentFile`, which is not how Node does: no comment ends a value, and nothing is exported. */
export const parseSystemdEnv = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(LINE)]
      .map(([, name = '', quoted = '', rest = '']) => [name.trim(), unquoted(quoted) + unescaped(rest)])
      .filter(([name = '']) => /^[A-Za-z_]\w*$/.test(name)),
  );

const unquoted = (text: string): string =>
  [...text.matchAll(QUOTED)]
    .map(([, single, double = '']) => single ?? double.replaceAll(/\\(?:\n|(["\\`$]))/g, '$1'))
    .join('');

const unescaped = (text: string): string => text.trimEnd().replaceAll(/\\(?:\n|([^]))/g, '$1');
