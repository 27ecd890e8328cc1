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

/**
 * What trades and plans share: wallet, asset, amount and stops with the props of their fields, and why they cannot be
 * placed now. Any change makes the last error obsolete: `onChange` forgets it.
 */
export function usePlaceDraft(symbol: string | null, onChange: () => void) {
  const { data: balances } = useQuery(balancesQuery);
  const tradable = useQuery(tradableQuery);
  const assets = tradable.data;
  const { data: session } = useQuery(sessionQuery);
  const { data: me } = useQuery(meQuery);
  const pause = useOwnPause();
  const [draft, setDraft] = useState<Draft>(() => ({
    walletType: 'primary',
    tradeId: symbol,
    typed: '',
    stops: draftOf(noStops),
  }));
  const { walletType, typed, stops } = draft;
  const read = readAmount(typed);
  const amount = read.ok ? read.dollars : null;
  const balance = balances?.[`${walletType}_wallet`];
  const off = disabledReason(balance, amount, walletNames[walletType], {
    frozen: me?.frozen === true,
    pause,
    halt: session?.halt,
  });
  // An asset that was switched off meanwhile, or a wrong one in the address, is not chosen.
  const tradeId = assets === undefined || assets.some(({ id }) => id === draft.tradeId) ? draft.tradeId : null;
  const set = (change: Partial<Draft>) => {
    onChange();
    setDraft((now) => ({ ...now, ...change }));
  };
  return {
    ...draft,
    amount,
    tradeId,
    session,
    off,
    isOverBalance: balance !== undefined && amount !== null && amount > balance,
    walletChoice: { value: walletType, balances, onChange: (next: WalletType) => set({ walletType: next }) },
    assetChoice: { query: tradable, value: tradeId, onChange: (next: string) => set({ tradeId: next }) },
    amountField: { typed, balance, onChange: (next: string) => set({ typed: next }) },
    foldedStops: {
      symbol: tradeId,
      draft: stops,
      onChange: (kind: StopKind, value: string) => set({ stops: { ...stops, [kind]: value } }),
    },
    placeButton: {
      isWrong: balance !== undefined,
      // A deposit is all that is missing.
      needsDeposit: off === emptyReason(walletNames.primary),
      disabled: off !== null,
    },
  };
}
