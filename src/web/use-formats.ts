import { useEnvironment } from './environment.ts';
import { formatsOf, type Formats } from './texts/formats.ts';

/** Apart: the first load of the lookup page shows no dates and numbers. */
export const useFormats = (): Formats => formatsOf(useEnvironment().texts.language);
