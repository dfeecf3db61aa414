/** Something that was looked at. It is in order unless it says how to mend it. */
export type Examination = { readonly what: string; readonly finding: string; readonly mend?: string };
