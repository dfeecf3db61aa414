/** Apart from the rest of the status: every page has it. */
export const statusLink = { href: '/status', label: 'Status' };
