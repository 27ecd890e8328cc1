import type { StatementWallet } from './deposits.ts';

/** The member-facing words for the member's ledger accounts. */
export const walletWords: Record<StatementWallet, string> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  in_trades: 'In trades',
  invested: 'In plans',
  on_hold: 'On hold',
};
