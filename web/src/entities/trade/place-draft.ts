import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WalletType } from '#contract/rules.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { meQuery } from '../../api/me-query.ts';
import { useOwnPause } from '../../api/own-pause.ts';
import { balancesQuery, tradableQuery } from '../../api/trading-queries.ts';
import { readAmount } from '../../ui/forms/read-amount.ts';
import { disabledReason, emptyReason } from './check-trade.ts';
import { walletNames } from './labels.ts';
import { draftOf, noStops, type StopDraft, type StopKind } from './stops.ts';

/** `typed` is the text of the amount field. */
type Draft = { walletType: WalletType; tradeId: string | null; typed: string; stops: StopDraft };

/** What trades and plans share: wallet, asset, amount and stops, and why they cannot be placed now. */
export function usePlaceDraft(symbol: string | null) {
  const { data: balances } = useQuery(balancesQuery);
  const { data: assets } = useQuery(tradableQuery);
  const { data: session } = useQuery(sessionQuery);
  const { data: me } = useQuery(meQuery);
  const pause = useOwnPause();
  const [draft, setDraft] = useState<Draft>(() => ({
    walletType: 'primary',
    tradeId: symbol,
    typed: '',
    stops: draftOf(noStops),
  }));
  const { walletType, typed } = draft;
  const read = readAmount(typed);
  const amount = read.ok ? read.dollars : null;
  const balance = balances?.[`${walletType}_wallet`];
  const off = disabledReason(balance, amount, walletNames[walletType], {
    frozen: me?.frozen === true,
    pause,
    halt: session?.halt,
  });
  return {
    ...draft,
    amount,
    // An asset that was switched off meanwhile, or a wrong one in the address, is not chosen.
    tradeId: assets === undefined || assets.some((asset) => asset.id === draft.tradeId) ? draft.tradeId : null,
    balances,
    assets,
    session,
    balance,
    off,
    /** A deposit is all that is missing. */
    needsDeposit: off === emptyReason(walletNames.primary),
    isOverBalance: balance !== undefined && amount !== null && amount > balance,
    set: (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change })),
    setStop: (kind: StopKind, value: string) => setDraft((now) => ({ ...now, stops: { ...now.stops, [kind]: value } })),
  };
}
