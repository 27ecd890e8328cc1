import type { AppInfo } from '../../api/app-info.ts';

/** What the mode means to a reader, in the words of this copy of the product (docs/product.md, section 1). */
export const modeWords: Record<AppInfo['mode'], string> = {
  paper:
    'This copy runs in paper mode. Prices come from a simulated or a recorded market and payments from a built-in sandbox. No real money moves, in either direction: balances have no value outside this site and cannot be exchanged for money.',
  staging:
    'This copy runs with test money. It is there to be tried out: balances have no value outside this site and cannot be exchanged for money.',
  live: 'This copy runs with real money.',
};
