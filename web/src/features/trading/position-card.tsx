import { Box, Button, Group, Text } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Trade } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { t } from '../../api/texts.ts';
import { hasExchangeFee } from '../../entities/income/fees.ts';
import { formatStopPercent, setStops, stopNames } from '../../entities/trade/stops.ts';
import { usePair } from '../../entities/trade/use-pair.ts';
import { formatMoney, percentOf } from '../../ui/format/number.ts';
import { formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { tradeSearch } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { type KeyValue, KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { ChangeStops } from './change-stops.tsx';
import { CloseNow } from './close-now.tsx';
import { closingText } from './labels.ts';
import { useLiveTrades } from './open-trades.tsx';
import { sumTrades } from './sum-trades.ts';
import { Since, Source } from './trade-cells.tsx';

/** The member's position in one asset: one trade in full, several as a total with their list. */
export function PositionCard({ symbol }: { symbol: string }) {
  const { trades, areAll } = useLiveTrades(symbol);
  const { data: session } = useQuery(sessionQuery);
  const isListed = usePair(symbol)?.listed !== false;
  const [first] = trades ?? [];
  if (trades === undefined || first === undefined) {
    return (
      <Panel title={t`My position`}>
        {trades !== undefined && (
          <ListState
            icon={IconChartCandle}
            title={t`No position in ${symbol}`}
            action={
              isListed && (
                <Button
                  component={Link}
                  to={{ search: tradeSearch(symbol) }}
                  variant="default"
                >{t`Trade ${symbol}`}</Button>
              )
            }
          >{t`Your open trade appears here with its entry price and unrealised P&L.`}</ListState>
        )}
      </Panel>
    );
  }

  const sum = areAll ? sumTrades(trades) : undefined;
  const isOne = trades.length === 1;
  const isSettling = trades.every((trade) => trade.state === 'settling');
  const closing = session ? `${formatTime(session.closes_at)} UTC` : '–';
  return (
    <Panel title={t`My position`} control={<StateBadge of="trade" state={isSettling ? 'settling' : 'open'} />}>
      <Figure
        label={hasExchangeFee() ? t`Unrealised P&L before the exchange fee` : t`Unrealised P&L after fees`}
        size="xl"
        foot={
          sum === undefined ? (
            t`The newest ${trades.length} of your open trades`
          ) : (
            <Trans
              text={t`<percent/> of ${formatMoney(sum.amount, 'typed')}`}
              percent={<Percent value={percentOf(sum.result, sum.amount)} signed arrow />}
            />
          )
        }
      >
        <SignedMoney value={sum?.result} />
      </Figure>
      <Box mt={12} mx={0} mb={14}>
        <KeyValues
          rule
          items={[
            [t`Amount`, <Money key="amount" value={sum?.amount} />],
            [t`Trade fee`, <Money key="fee" value={sum?.fee} />],
            [isOne ? t`Entry` : t`Average entry`, <Price key="entry" value={sum?.entry} symbol={symbol} />],
            [t`Mark price`, <Price key="mark" value={first.live?.price} symbol={symbol} />],
            isOne && [t`Wallet`, <Source key="wallet" trade={first} />],
            ...(isOne ? stopRows(first) : []),
            [
              t`Settles at`,
              trades.every((trade) => trade.closing || trade.state === 'settling') ? t`Next price` : closing,
            ],
          ]}
        />
      </Box>
      {isOne ? <OneTrade trade={first} /> : <Lots trades={trades} />}
      <Note mt={10} ta="center">
        {first.execution
          ? t`Closes at the exchange’s price, less its fee and half the spread.`
          : t`Closes at the market price, less half the spread.`}
      </Note>
    </Panel>
  );
}

/** The actions of a single trade; once its close is requested, why. */
function OneTrade({ trade }: { trade: Trade }) {
  const closing = closingText(trade);
  return (
    <>
      {closing !== null && (
        <Text inherit mb={10} c="var(--tw-text-2)" fz="sm" role="status">
          {closing}.
        </Text>
      )}
      <Group grow gap="xs" preventGrowOverflow={false}>
        <ChangeStops trade={trade} variant="button" />
        <CloseNow trade={trade} variant="wide" />
      </Group>
    </>
  );
}

/** The single trades of the position, each of which is closed separately. */
function Lots({ trades }: { trades: readonly Trade[] }) {
  return (
    <ul aria-label={t`Open trades`}>
      {trades.map((trade) => (
        <Box
          key={trade.id}
          component="li"
          py="xs"
          fz="sm"
          lh="1.125rem"
          style={{ borderTop: '1px solid var(--tw-line)' }}
        >
          <Group wrap="nowrap" gap="sm">
            <div style={{ flex: 1 }}>
              {formatMoney(trade.amount, 'typed')}
              <Note>
                <Source trade={trade} /> · <Since trade={trade} />
              </Note>
            </div>
            <SignedMoney value={trade.live?.result} />
            <CloseNow trade={trade} variant="row" />
          </Group>
          <ChangeStops trade={trade} variant="line" />
        </Box>
      ))}
    </ul>
  );
}

/** The stops of a trade, one per line, each with its trigger price. */
const stopRows = (trade: Trade): KeyValue[] =>
  setStops(trade.stops).map(({ kind, percent }) => [
    `${stopNames[kind]}, ${formatStopPercent(percent)}`,
    <Price key={kind} value={trade.stops[`${kind}_price`]} symbol={trade.symbol} />,
  ]);
