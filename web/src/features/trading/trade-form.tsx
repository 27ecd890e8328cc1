import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { balancesQuery, tradableQuery } from '../../api/trading-queries.ts';
import { useTradeSpread } from '../../entities/income/spreads.ts';
import { AmountField } from '../../entities/trade/amount-field.tsx';
import { AssetChoice } from '../../entities/trade/asset-choice.tsx';
import { findMistake, type TradeMistake, whyOff } from '../../entities/trade/check-trade.ts';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { walletNames } from '../../entities/trade/labels.ts';
import { refusalToMistake } from '../../entities/trade/place-refusal.ts';
import {
  draftOf,
  firstMistake,
  noStops,
  onlySet,
  readStops,
  type StopDraft,
  type StopMistakes,
} from '../../entities/trade/stops.ts';
import { WalletChoice } from '../../entities/trade/wallet-choice.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { CostLines, CostSummary } from './cost-lines.tsx';
import { placedWords } from './labels.ts';
import { PickedAsset } from './picked-asset.tsx';
import { usePlaceTrade } from './queries.ts';
import classes from './trade-form.module.css';

type TradeFormProps = {
  symbol: string | undefined;
  onSending: (isSending: boolean) => void;
  onPlaced: () => void;
};

export function TradeForm({ symbol, onSending, onPlaced }: TradeFormProps) {
  const { data: balances } = useQuery(balancesQuery);
  const { data: assets } = useQuery(tradableQuery);
  const { data: session } = useQuery(sessionQuery);
  const place = usePlaceTrade();

  const [walletType, setWalletType] = useState<WalletType>('primary');
  const [chosen, setChosen] = useState<string | null>(symbol ?? null);
  const [amount, setAmount] = useState<number | null>(null);
  const [stopDraft, setStopDraft] = useState<StopDraft>(() => draftOf(noStops));
  const [mistake, setMistake] = useState<TradeMistake | null>(null);
  const [stopMistakes, setStopMistakes] = useState<StopMistakes>({});
  const reasonId = useId();

  // An asset that was switched off meanwhile, or that an address named wrongly, is not chosen.
  const tradeId = assets === undefined || assets.some((asset) => asset.id === chosen) ? chosen : null;
  const spreadBps = useTradeSpread(tradeId);
  const balance = balances && (walletType === 'primary' ? balances.primary_wallet : balances.profit_wallet);
  const off = whyOff(balance, amount, walletNames[walletType], session?.halt);
  const reason = off ?? mistake?.message;
  const isAmountWrong = mistake?.field === 'amount' || (balance !== undefined && amount !== null && amount > balance);

  /** Any change of what is asked for makes the last complaint out of date. */
  const change = (apply: () => void) => {
    setMistake(null);
    setStopMistakes({});
    apply();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off !== null || place.isPending) return;
    const found = findMistake({ tradeId, amount, walletType });
    setMistake(found);
    if (found) return toast.error(found.message);
    if (tradeId === null || amount === null) return;
    const read = readStops(stopDraft);
    if ('mistakes' in read) {
      setStopMistakes(read.mistakes);
      return toast.error(firstMistake(read.mistakes));
    }
    onSending(true);
    place.mutate(
      { tradeId, amount, wallet_type: walletType, ...onlySet(read.stops) },
      {
        onSuccess: (trade) => {
          toast.success(...placedWords(trade));
          onPlaced();
        },
        // The words were already shown as a toast; here they stay beside the field.
        onError: (error) => setMistake(refusalToMistake(error)),
        onSettled: () => onSending(false),
      },
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.scroll}>
        <div className={classes.left}>
          <WalletChoice value={walletType} balances={balances} onChange={(next) => change(() => setWalletType(next))} />
          <AssetChoice
            assets={assets}
            value={tradeId}
            invalid={mistake?.field === 'tradeId'}
            describedBy={reason ? reasonId : undefined}
            onChange={(next) => change(() => setChosen(next))}
          />
          {tradeId !== null && <PickedAsset symbol={tradeId} />}
        </div>
        <div className={classes.right}>
          <AmountField
            amount={amount}
            balance={balance}
            invalid={isAmountWrong}
            describedBy={reason ? reasonId : undefined}
            onChange={(next) => change(() => setAmount(next))}
          />
          <FoldedStops
            symbol={tradeId}
            spreadBps={spreadBps}
            draft={stopDraft}
            mistakes={stopMistakes}
            onChange={(kind, value) => change(() => setStopDraft((now) => ({ ...now, [kind]: value })))}
          />
          <CostLines amount={amount} symbol={tradeId} spreadBps={spreadBps} session={session} />
        </div>
      </div>
      <div className={classes.foot}>
        <CostSummary amount={amount} symbol={tradeId} />
        {reason && (
          <p id={reasonId} className={classes.reason} data-wrong={balance !== undefined || undefined}>
            {reason}
          </p>
        )}
        <BusyButton
          type="submit"
          size="lg"
          fullWidth
          busy={place.isPending}
          busyLabel="Placing"
          disabled={off !== null}
          aria-describedby={reason ? reasonId : undefined}
        >
          Trade Now
        </BusyButton>
        <Text mt={10} c="dimmed" fz="xs" lh="16px">
          Minimum investment: ${minimumTradeDollars.primary} from the Primary Wallet, ${minimumTradeDollars.profit} from
          the Profit Wallet.
          <br />
          You can lose up to the amount.
        </Text>
      </div>
    </form>
  );
}
