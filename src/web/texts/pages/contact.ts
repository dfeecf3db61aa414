export const contact = {
  title: 'Contact us',
  lead: 'Have a question, a vanity link request or a bug to report? Email us.',
};

export const contactAddress = {
  copy: 'Copy address',
  copied: 'Copied',
  copyFailed: 'Your browser didn’t allow copying. Please select the address.',
  write: 'Send an email',
};
