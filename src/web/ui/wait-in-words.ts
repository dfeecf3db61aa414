/** A wait as people say it, rounded up. */
export const waitInWords = (seconds: number): string => {
  if (seconds === 1) return '1 second';
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};
