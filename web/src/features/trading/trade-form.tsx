import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { minimumTradeDollars } from '#contract/rules.ts';
import type { Session } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { limitsQuery } from '../../api/trading-queries.ts';
import { CostList } from '../../entities/income/cost-list.tsx';
import { feeLines, useTradeTerms } from '../../entities/income/fees.ts';
import { useTradeSpread } from '../../entities/income/spreads.ts';
import { AmountField } from '../../entities/trade/amount-field.tsx';
import { AssetChoice } from '../../entities/trade/asset-choice.tsx';
import { findTradeError, refusalToError, type TradeError } from '../../entities/trade/check-trade.ts';
import { DelayedBanner } from '../../entities/trade/delayed.tsx';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { pairOf } from '../../entities/trade/labels.ts';
import { PlaceButton } from '../../entities/trade/place-button.tsx';
import { usePlaceDraft } from '../../entities/trade/place-draft.ts';
import { settlesWhen } from '../../entities/trade/session-labels.ts';
import { firstErrorText, onlySet, readStops, type StopErrors } from '../../entities/trade/stops.ts';
import { usePair } from '../../entities/trade/use-pair.ts';
import { WalletChoice } from '../../entities/trade/wallet-choice.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Money, Price } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { placedText } from './labels.ts';
import { usePlaceTrade } from './queries.ts';
import classes from './trade-form.module.css';

type TradeFormProps = {
  symbol: string | undefined;
  onSending: (isSending: boolean) => void;
  onPlaced: () => void;
};

/** The asset's limit per trade, if it has one; only the server knows the total of all members. */
function useLargestTrade(symbol: string | null) {
  const { data } = useQuery(limitsQuery);
  const trade = data?.items.find((line) => line.symbol === symbol)?.trade ?? null;
  return symbol === null || trade === null ? null : { symbol, trade };
}

export function TradeForm({ symbol, onSending, onPlaced }: TradeFormProps) {
  const [error, setError] = useState<TradeError | null>(null);
  const [stopErrors, setStopErrors] = useState<StopErrors>({});
  const draft = usePlaceDraft(symbol ?? null, () => {
    setError(null);
    setStopErrors({});
  });
  const { walletType, tradeId, typed, amount, off } = draft;
  const place = usePlaceTrade();
  const { form, focusFirstError } = useFirstError();
  const reasonId = useId();
  const spreadBps = useTradeSpread(tradeId);
  const largest = useLargestTrade(tradeId);
  const reason = off ?? error?.message;
  const describedBy = reason ? reasonId : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (off !== null || place.isPending) return;
    const found = findTradeError({ tradeId, typed, walletType });
    setError(found);
    focusFirstError();
    if (found) return toast.error(found.message);
    if (tradeId === null || amount === null) return;
    const read = readStops(draft.stops);
    if ('errors' in read) {
      setStopErrors(read.errors);
      return toast.error(firstErrorText(read.errors));
    }
    onSending(true);
    place.mutate(
      { tradeId, amount, wallet_type: walletType, ...onlySet(read.stops) },
      {
        onSuccess: (trade) => {
          toast.success(...placedText(trade));
          onPlaced();
        },
        // The message was already shown as a toast; here it stays beside the field.
        onError: (error) => {
          setError(refusalToError(error));
          focusFirstError();
        },
        onSettled: () => onSending(false),
      },
    );
  };

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.scroll}>
        <div className={classes.left}>
          <WalletChoice {...draft.walletChoice} />
          <AssetChoice {...draft.assetChoice} invalid={error?.field === 'tradeId'} describedBy={describedBy} />
          {tradeId !== null && (
            <>
              <DelayedBanner symbol={tradeId} />
              <PickedAsset symbol={tradeId} />
            </>
          )}
        </div>
        <div className={classes.right}>
          <AmountField
            {...draft.amountField}
            invalid={error?.field === 'amount' || draft.isOverBalance}
            describedBy={describedBy}
          />
          <FoldedStops {...draft.foldedStops} spreadBps={spreadBps} errors={stopErrors} />
          <CostLines amount={amount} symbol={tradeId} spreadBps={spreadBps} session={draft.session} />
        </div>
      </div>
      <div className={classes.foot}>
        <CostSummary amount={amount} symbol={tradeId} />
        <PlaceButton
          {...draft.placeButton}
          reason={reason}
          reasonId={reasonId}
          busy={place.isPending}
          busyLabel={t`Placing`}
        >{t`Trade Now`}</PlaceButton>
        <Note mt={10}>
          {t`Minimum investment: $${minimumTradeDollars.primary} from the Primary Wallet, $${minimumTradeDollars.profit} from the Profit Wallet.`}
          <br />
          {largest !== null && (
            <>
              {t`Largest trade in ${pairOf(largest.symbol)}: ${formatMoney(largest.trade, 2)}.`}
              <br />
            </>
          )}
          {t`You can lose up to the amount.`}
        </Note>
      </div>
    </form>
  );
}

/** The chosen asset: its 24-hour change and current price. A narrow screen has no room for it. */
function PickedAsset({ symbol }: { symbol: string }) {
  const pair = usePair(symbol);
  return (
    <Paper withBorder visibleFrom="sm" px={14} py="sm" fz="sm" lh="1.25rem">
      <Group wrap="nowrap" gap="sm">
        <AssetIcon symbol={symbol} />
        <div>
          <Text inherit fw={500}>
            {pairOf(symbol)}
          </Text>
          <Note>{pair?.apiname}</Note>
        </div>
        <Group flex={1} miw={0} justify="center" style={{ overflow: 'hidden' }}>
          {pair && <Sparkline values={pair.spark} width={128} height={30} />}
        </Group>
        <Text inherit component="div" ta="right">
          <Note>{t`24 h range`}</Note>
          {pair ? `${formatPrice(pair.low_24h, symbol)} – ${formatPrice(pair.high_24h, symbol)}` : '–'}
        </Text>
        <Text inherit component="div" ta="right" ml={8} fw={600}>
          <Note fw={400}>{t`Price`}</Note>
          <Price value={pair?.rate} symbol={symbol} />
        </Text>
      </Group>
    </Paper>
  );
}

type CostInput = { amount: number | null; symbol: string | null };

/** The trade's costs, its position and when it settles. */
function CostLines({
  amount,
  symbol,
  spreadBps,
  session,
}: CostInput & { spreadBps: number | undefined; session: Session | undefined }) {
  const terms = useTradeTerms();
  const isEnded = session?.state === 'ended';
  const when = session === undefined || isEnded ? null : settlesWhen(session);
  return (
    <CostList
      feeLabel={t`Trade fee`}
      amount={amount}
      terms={terms}
      spreadBps={spreadBps}
      second={[
        symbol === null ? t`Position` : t`Position in ${pairOf(symbol)}`,
        <Money key="position" value={feeLines(amount, terms?.trade_fee_bps)?.position} />,
      ]}
      rest={[
        when?.opens && [t`Opens`, t`Next session, ${when.opens}`],
        [t`Settles`, isEnded ? t`No further session` : (when?.settles ?? '–')],
      ]}
    />
  );
}

/** The same in one line above the button, where the lines have scrolled out of view. */
function CostSummary({ amount, symbol }: CostInput) {
  const lines = feeLines(amount, useTradeTerms()?.trade_fee_bps);
  if (lines === null) return null;
  return (
    <Group
      className={classes.summary ?? ''}
      justify="space-between"
      gap="sm"
      mb={8}
      c="var(--tw-text-2)"
      fz="xs"
      lh="1rem"
    >
      <span>
        {symbol === null
          ? t`Position ${formatMoney(lines.position, 'typed')}`
          : t`Position ${formatMoney(lines.position, 'typed')} in ${pairOf(symbol)}`}
      </span>
      <span>{t`Fee ${formatMoney(lines.fee, 'typed')}`}</span>
    </Group>
  );
}
