import { useEnvironment } from './environment.ts';
import { formatsOf, type Formats } from './texts/formats.ts';

/** Dates and numbers in the language of the page. Apart: the first load of the lookup page shows none. */
export const useFormats = (): Formats => formatsOf(useEnvironment().texts.language);
