import { english } from '#contract/texts.ts';

/** What a member is told whose plan has no room in its asset. */
export const skippedMessage = (symbol: string): string =>
  english.t`Your ${symbol.toUpperCase()}/USDT plan skips this session: its amount is over the limits of the asset.`;
