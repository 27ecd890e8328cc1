import { NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { amountInputMin, minimumTradeDollars, quickAddAmounts, type WalletType } from '#contract/rules.ts';
import { formatMoney } from '../../shared/format/money.ts';
import { sessionQuery } from '../../shared/market/queries.ts';
import { toast } from '../../shared/toast.ts';
import { BusyButton } from '../../shared/ui/busy-button.tsx';
import { AssetChoice } from './asset-choice.tsx';
import { findMistake, type TradeMistake, whyOff } from './check-trade.ts';
import { CostLines, CostSummary } from './cost-lines.tsx';
import { PickedAsset } from './picked-asset.tsx';
import { refusalToMistake } from './place-refusal.ts';
import { balancesQuery, tradableQuery, usePlaceTrade } from './queries.ts';
import classes from './trade-form.module.css';
import { WalletChoice } from './wallet-choice.tsx';
import { placedWords, walletNames } from './words.ts';

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
  const [mistake, setMistake] = useState<TradeMistake | null>(null);
  const reasonId = useId();

  // An asset that was switched off meanwhile, or that an address named wrongly, is not chosen.
  const tradeId = assets === undefined || assets.some((asset) => asset.id === chosen) ? chosen : null;
  const balance = balances && (walletType === 'primary' ? balances.primary_wallet : balances.profit_wallet);
  const off = whyOff(balance, amount, walletNames[walletType]);
  const reason = off ?? mistake?.message;
  const isAmountWrong = mistake?.field === 'amount' || (balance !== undefined && amount !== null && amount > balance);

  /** Any change of what is asked for makes the last complaint out of date. */
  const change = (apply: () => void) => {
    setMistake(null);
    apply();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off !== null || place.isPending) return;
    const found = findMistake({ tradeId, amount, walletType });
    setMistake(found);
    if (found) return toast.error(found.message);
    if (tradeId === null || amount === null) return;
    onSending(true);
    place.mutate(
      { tradeId, amount, wallet_type: walletType },
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
          <div>
            <NumberInput
              label="Amount"
              classNames={{ input: classes.amount, section: classes.dollar }}
              attributes={{ input: { min: amountInputMin } }}
              // The input names the minimum; 1 from the profit wallet is allowed, so nothing is turned into 5.
              min={amountInputMin}
              clampBehavior="none"
              allowNegative={false}
              decimalScale={6}
              inputMode="decimal"
              autoComplete="off"
              leftSection="$"
              value={amount ?? ''}
              onChange={(value) => change(() => setAmount(toAmount(value)))}
              error={isAmountWrong}
              aria-describedby={reason ? reasonId : undefined}
            />
            <span className={classes.available}>Available {formatMoney(balance)}</span>
          </div>
          <div className={classes.quick}>
            {quickAddAmounts.map((quick) => (
              <button key={quick} type="button" onClick={() => change(() => setAmount(addDollars(amount, quick)))}>
                <span aria-hidden="true">+</span>
                {quick}
              </button>
            ))}
          </div>
          <CostLines amount={amount} symbol={tradeId} session={session} />
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
        <p className={classes.note}>
          Minimum investment: ${minimumTradeDollars.primary} from the Primary Wallet, ${minimumTradeDollars.profit} from
          the Profit Wallet.
          <br />
          You can lose up to the amount.
        </p>
      </div>
    </form>
  );
}

const MICROS = 1_000_000;
const addDollars = (amount: number | null, more: number) => Math.round((amount ?? 0) * MICROS + more * MICROS) / MICROS;

/** What the field holds as dollars; nothing while it is empty or only a sign or a point. */
function toAmount(value: number | string): number | null {
  const amount = typeof value === 'number' ? value : Number.parseFloat(value);
  return Number.isFinite(amount) ? amount : null;
}
