import { english } from '#contract/texts.ts';

/** The notification to a member whose plan is over the limits of its asset. */
export const skippedMessage = (symbol: string): string =>
  english.t`Your ${symbol.toUpperCase()}/USDT plan skips this session: its amount is over the limits of the asset.`;
