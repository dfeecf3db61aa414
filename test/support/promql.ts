/** A metric as an expression picks it, with the labels that it must have. */
export type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] };
export type Matcher = { readonly label: string; readonly operator: '=' | '=~'; readonly value: string };

const KEYWORDS = new Set(['and', 'or', 'unless', 'by', 'on', 'bool', 'ignoring', 'without']);
const CLAUSE = /\b(?:by|on|without|ignoring) \(([^)]*)\)/g;
const RANGE = /\[[^\]]*\]/g;
const MATCHERS = /(\w+)(=~|=|!=|!~)"([^"]*)"/g;

/** As much of the query language as the files in ops/ use: whatever is not a function or keyword is a metric. */
export const selectorsIn = (expression: string): Selector[] => {
  const plain = expression.replaceAll(CLAUSE, ' ').replaceAll(RANGE, ' ');
  return [...plain.matchAll(/([a-zA-Z_:][\w:]*)(\{[^}]*\})?(\s*\()?/g)]
    .filter(([, word = '', , call]) => call === undefined && !KEYWORDS.has(word))
    .map(([, metric = '', braces = '']) => ({ metric, matchers: matchersIn(braces) }));
};

/** The labels that an expression groups or joins by. */
export const groupingsIn = (expression: string): string[] =>
  [...expression.matchAll(CLAUSE)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );

const matchersIn = (braces: string): Matcher[] =>
  [...braces.matchAll(MATCHERS)].map(([, label = '', operator, value = '']) => {
    // What is excluded must exist as well.
    return { label, operator: operator?.endsWith('~') === true ? '=~' : '=', value };
  });

/** What a matcher asks for, one by one: `a|b` must not pass because there is an a. */
export const alternativesOf = ({ operator, value }: Matcher): ((found: string) => boolean)[] =>
  operator === '='
    ? [(found) => found === value]
    : value.split('|').map((alternative) => (found) => new RegExp(`^(?:${alternative})$`).test(found));
