import { Button, Flex, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { StopPercents } from '#contract/trading/stops.ts';
import type { Trade } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import {
  percentOfDraft,
  type StopDraft,
  type StopKind,
  setStops,
  stopSentence,
  stopsLine,
} from '../../entities/trade/stops.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { toast } from '../../ui/frame/toast.ts';
import { useWasOpened } from '../../ui/use-was-opened.ts';
import classes from './change-stops.module.css';
import { closingText } from './labels.ts';
import { useSetTradeStops } from './queries.ts';

/** Loaded on opening: it needs number fields, which lists of trades do not use. */
const StopsDialog = lazy(async () => ({
  default: (await import('../../entities/trade/stops-dialog.tsx')).StopsDialog,
}));

type ChangeStopsProps = {
  trade: Trade;
  /** lines: the stops, stacked; line: in one row of a list; button: where they are listed already. */
  variant: 'lines' | 'line' | 'button';
};

/** The stops of a queued or open trade, and the dialog that changes them. */
export function ChangeStops({ trade, variant }: ChangeStopsProps) {
  const [asking, setAsking] = useState(false);
  const wasOpened = useWasOpened(asking);
  const save = useSetTradeStops();
  const pair = pairOf(trade.symbol);
  const closing = closingText(trade);
  if (closing !== null)
    return variant === 'button' ? null : (
      <Text span inherit c="var(--tw-text-2)" fz="xs" lh="1rem">
        {closing}
      </Text>
    );
  if (trade.state === 'settling') return null;

  const send = (stops: Partial<StopPercents>) =>
    save.mutate(
      { id: trade.id, stops },
      {
        onSuccess: (saved) => {
          toast.success(t`Stops for ${pair} saved`, t`New stops: ${stopsLine(saved.stops)}`);
          setAsking(false);
        },
      },
    );
  return (
    <>
      {variant === 'button' ? (
        <Button variant="default" size="lg" fullWidth onClick={() => setAsking(true)}>{t`Change stops`}</Button>
      ) : (
        <UnstyledButton className={classes.stops} data-variant={variant} onClick={() => setAsking(true)}>
          <VisuallyHidden>{t`Change stops of ${pair}, ${formatMoney(trade.amount, 'typed')}:`} </VisuallyHidden>
          <Flex component="span" direction={variant === 'lines' ? 'column' : 'row'} wrap="wrap" gap="2px 12px">
            <StopLines trade={trade} />
          </Flex>
        </UnstyledButton>
      )}
      {wasOpened && (
        <Suspense>
          <StopsDialog
            opened={asking}
            onClose={() => setAsking(false)}
            title={t`Stops for ${pair}`}
            stops={trade.stops}
            sentenceOf={(kind, draft) => sentenceOf(trade, kind, draft)}
            busy={save.isPending}
            refused={save.error}
            onSave={send}
          >
            {trade.state === 'queued' ? t`Stops apply once the trade is open.` : t`Stops apply from the next price.`}{' '}
            {t`A stop closes the trade at the first price after it is reached, which can be worse.`}
          </StopsDialog>
        </Suspense>
      )}
    </>
  );
}

function StopLines({ trade }: { trade: Trade }) {
  const set = setStops(trade.stops);
  if (set.length === 0) return <Text span inherit c="var(--tw-accent)">{t`Set stops`}</Text>;
  return set.map(({ kind, words }) => {
    const crossing = trade.stops[`${kind}_price`];
    return (
      <span key={kind} className={classes.stop}>
        {/* A space between the two, so that the line can break there. */}
        <span>{words}</span>{' '}
        {crossing !== null && (
          <Text span inherit c="dimmed">
            {formatPrice(crossing, trade.symbol)}
          </Text>
        )}
      </span>
    );
  });
}

/** An unchanged trailing stop keeps its highest mark; a new one counts from the current mark. */
function sentenceOf(trade: Trade, kind: StopKind, draft: StopDraft): string {
  const percent = percentOfDraft(kind, draft);
  const mark = trade.live?.price ?? null;
  const crossing = trade.stops.trailing_stop_price;
  const isSame = percent !== null && percent === trade.stops.trailing_stop && crossing !== null;
  const highest = isSame ? crossing / (1 - percent / 100) : mark;
  return stopSentence(kind, percent, { entry: trade.open_price, highest, mark }, trade.symbol);
}
