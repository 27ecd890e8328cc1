import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';

/** USDT on each network: its currency code at NOWPayments, and the label that members read. */
export const dollarNetworks = {
  TRC20: { currency: 'usdttrc20', label: 'USDT on Tron (TRC20)' },
  BEP20: { currency: 'usdtbsc', label: 'USDT on BNB Smart Chain (BEP20)' },
  ERC20: { currency: 'usdterc20', label: 'USDT on Ethereum (ERC20)' },
} as const;

export type DollarNetwork = keyof typeof dollarNetworks;

export const isDollarNetwork = (network: PayoutNetwork | null): network is DollarNetwork =>
  network !== null && network in dollarNetworks;

const dollarCurrencies: readonly string[] = Object.values(dollarNetworks).map(({ currency }) => currency);

/** Whether a currency counts as dollars at par. */
export const isDollar = (currency: string | null | undefined): boolean =>
  dollarCurrencies.includes(currency?.toLowerCase() ?? '');
