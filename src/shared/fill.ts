/** The names in the braces of a text. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** What a site's settings fill in, before a text gets anywhere. */
export type SiteValue =
  | 'brandName'
  | 'platformName'
  | 'host'
  | 'vanityMinEur'
  | 'developerPortalUrl'
  | 'risksUrl'
  | 'withdrawalUrl'
  | 'fewestDigits'
  | 'mostDigits';

type Values<Text extends string> = Readonly<Record<Exclude<Placeholder<Text>, SiteValue>, string | number>>;

/** Puts values in the place of the names in braces. Names without a value stay as they are. */
export const fill = <Text extends string>(text: Text, values: Values<Text>): string =>
  text.replaceAll(/\{(\w+)\}/g, (mark, name: string) =>
    Object.hasOwn(values, name) ? String(values[name as keyof Values<Text>]) : mark,
  );
