import { Box, Button, Text } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Trade } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { rateLabel } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';
import { setStops, stopNames, stopPercentWords } from '../../entities/trade/stops.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { ChangeStops } from './change-stops.tsx';
import { CloseNow } from './close-now.tsx';
import { closingWords } from './labels.ts';
import { useLiveTrades } from './open-trades.tsx';
import classes from './position-card.module.css';
import { crossingOf, percentsOf } from './stops-of-trade.ts';
import { sumTrades } from './sum-trades.ts';
import { Since, Source } from './trade-cells.tsx';

/** What the member holds in one asset: one trade in full, several as a sum with their list. */
export function PositionCard({ symbol, className }: { symbol: string; className?: string | undefined }) {
  const { trades } = useLiveTrades(symbol);
  const { data: session } = useQuery(sessionQuery);
  const terms = useCurrentTerms();
  const [first] = trades ?? [];
  if (trades === undefined || first === undefined) {
    return (
      <Panel title="My position" className={className}>
        {trades !== undefined && (
          <ListState
            icon={<IconChartCandle size={20} stroke={1.5} />}
            title={`No position in ${symbol}`}
            action={
              <Button
                variant="default"
                renderRoot={(props) => <Link to={{ search: tradeSearch(symbol) }} {...props} />}
              >
                Trade {symbol}
              </Button>
            }
          >
            An open trade is shown here with its entry and its result now.
          </ListState>
        )}
      </Panel>
    );
  }

  const sum = sumTrades(trades);
  const isSettling = trades.every((trade) => trade.state === 'settling');
  const closing = session ? `${formatTime(session.closes_at)} UTC` : '–';
  return (
    <Panel
      title="My position"
      className={className}
      control={<StateBadge of="trade" state={isSettling ? 'settling' : 'open'} />}
    >
      <Figure
        label="Result now, after fees"
        size="xl"
        foot={
          <>
            <Percent value={sum.percent} signed arrow /> of {formatMoney(sum.amount, 'typed')}
          </>
        }
      >
        <SignedMoney value={sum.result} />
      </Figure>
      <Box mt={12} mx={0} mb={14}>
        <KeyValues
          rule
          items={[
            ['Amount', <Money key="amount" value={sum.amount} />],
            [rateLabel('Trade fee', terms?.trade_fee_bps), <Money key="fee" value={sum.fee} />],
            [sum.count === 1 ? 'Entry' : 'Average entry', <Price key="entry" value={sum.entry} symbol={symbol} />],
            ['Mark', <Price key="mark" value={first.live?.price} symbol={symbol} />],
            ...(sum.count === 1
              ? ([['Wallet', <Source key="wallet" trade={first} />], ...stopRows(first)] as const)
              : []),
            ['Settles by itself', isSettling ? 'as soon as there is a price' : closing],
          ]}
        />
      </Box>
      {sum.count === 1 ? <OneTrade trade={first} /> : <Lots trades={trades} />}
      <Text mt={10} c="dimmed" fz="xs" lh="16px" ta="center">
        Closes at the market price, less half the spread.
      </Text>
    </Panel>
  );
}

/** What can be done with the only trade; once its sale is asked for, why. */
function OneTrade({ trade }: { trade: Trade }) {
  const closing = closingWords(trade);
  return (
    <>
      {closing !== null && (
        <Text inherit mb={10} c="var(--tw-text-2)" fz="sm" role="status">
          {closing}.
        </Text>
      )}
      <div className={classes.actions}>
        <ChangeStops trade={trade} look="button" />
        <CloseNow trade={trade} look="wide" />
      </div>
    </>
  );
}

/** The single trades of the sum, each of which closes on its own. */
function Lots({ trades }: { trades: readonly Trade[] }) {
  return (
    <ul className={classes.lots} aria-label="Open trades">
      {trades.map((trade) => (
        <li key={trade.id}>
          <span>
            {formatMoney(trade.amount, 'typed')}
            <small>
              <Source trade={trade} /> · <Since trade={trade} />
            </small>
          </span>
          <SignedMoney value={trade.live?.result} />
          <CloseNow trade={trade} look="row" />
          <Box component="span" style={{ gridColumn: '1 / -1' }}>
            <ChangeStops trade={trade} look="line" />
          </Box>
        </li>
      ))}
    </ul>
  );
}

/** The stops of a trade as lines of a card, each with the mark it is crossed at. */
const stopRows = (trade: Trade): (readonly [label: string, value: ReactNode])[] =>
  setStops(percentsOf(trade)).map(({ kind, percent }) => [
    `${stopNames[kind]}, ${stopPercentWords(percent)}`,
    <Price key={kind} value={crossingOf(trade, kind)} symbol={trade.symbol} />,
  ]);
