export const BACK = 'Back to Lookup';

export const notFound = { title: 'Page not found', lead: 'There is nothing at this address.' };
