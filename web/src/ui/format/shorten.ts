/** First and last characters of an address or hash, for a list: `TKq8…QeAu`. The whole stands where it is compared. */
export const shorten = (text: string, each = 4): string =>
  text.length <= 2 * each + 4 ? text : `${text.slice(0, each)}…${text.slice(-each)}`;
