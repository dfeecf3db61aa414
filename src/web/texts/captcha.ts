export const captcha = {
  description: 'Your browser is solving a quick puzzle to keep bots out. You don’t need to do anything.',
  loading: 'Loading...',
  codeRequired: 'Verification required!',
  retry: 'Retry',
};

export const VERIFYING = 'Verifying... please wait.';

export const captchaProblems = {
  failed: 'Verification failed. Please try again.',
  expired: 'Verification expired. Try again.',
  notLoaded: 'captcha widget took too long to load. Check your connection and retry.',
  noPayload: 'Verification did not return a token. Please retry.',
  unreachable: 'We can’t reach the server. Check your connection and retry.',
};

export const captchaProgress = {
  label: 'Captcha progress',
  secondsLeft: (seconds: number) => `Up to ${seconds} seconds left`,
  almostDone: 'Almost done',
};
