import { useEnvironment } from './environment.ts';
import { formatsOf, type Formats } from './texts/formats.ts';

/** Dates and numbers in the language of the page. Not in the environment: the first paint of most pages has none. */
export const useFormats = (): Formats => formatsOf(useEnvironment().texts.language);
