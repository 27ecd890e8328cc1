import { Avatar, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import type { TradeDetail, TradeTransfer } from '#contract/trading/trade-detail.ts';
import { t, translate } from '../../api/texts.ts';
import { accountName } from '../../entities/trade/account-names.ts';
import { feesOf } from '../../entities/trade/labels.ts';
import { percentOf } from '../../ui/format/number.ts';
import { formatPrice } from '../../ui/format/price.ts';
import { formatDate, formatDateTime, formatDay, formatSeconds, formatTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, Price, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { eventLabels, transferLabel } from './labels.ts';
import { exactDollars } from './working.ts';

const sourceLabels = {
  primary: t`From the Primary Wallet`,
  profit: t`From the Profit Wallet`,
  investment: t`From a plan`,
};

const entryFoot = ({ open_price: price, execution }: TradeDetail['trade']): string => {
  if (price === null) return t`Known when it opens`;
  return execution ? t`Exchange’s fill, its fee and our markup` : t`Mark price plus half the spread`;
};

const exitFoot = ({ live, close_price: price, execution, close_execution: sold }: TradeDetail['trade']): string => {
  if (live !== null)
    return execution ? t`Closing costs the exchange’s fee and half the spread` : t`Closing costs half the spread`;
  if (price === null) return t`Known when it closes`;
  return sold ? t`Exchange’s fill, less its fee and our markup` : t`Mark price less half the spread`;
};

/** The trade's result, and its figures as shown elsewhere. */
export function TradeFigures({ detail }: { detail: TradeDetail }) {
  const { trade } = detail;
  const isOpen = trade.live !== null;
  const result = isOpen ? trade.live?.result : trade.result;
  return (
    <FigureStrip>
      <Figure
        label={isOpen ? t`Unrealised P&L` : t`P&L`}
        foot={
          result === null || result === undefined ? (
            t`Known after settlement`
          ) : (
            <Trans
              text={t`<percent/> of the amount traded`}
              percent={<Percent value={percentOf(result, trade.amount)} signed />}
            />
          )
        }
      >
        <SignedMoney value={result} />
      </Figure>
      <Figure label={t`Amount`} foot={sourceLabels[trade.wallet_type]}>
        <Money value={trade.amount} />
      </Figure>
      <Figure label={t`Entry price`} foot={entryFoot(trade)}>
        <Price value={trade.open_price} symbol={trade.symbol} />
      </Figure>
      <Figure label={isOpen ? t`Mark price` : t`Exit price`} foot={exitFoot(trade)}>
        <Price value={isOpen ? trade.live?.price : trade.close_price} symbol={trade.symbol} />
      </Figure>
      <Figure label={t`Fees`} foot={t`Trade fee and performance fee`}>
        <Money value={feesOf(trade)} />
      </Figure>
    </FigureStrip>
  );
}

/** The trade's events with their reasons, numbered as on its chart. */
export function StepsPanel({ detail }: { detail: TradeDetail }) {
  const { events, decisions, trade } = detail;
  return (
    <Panel title={t`Timeline`}>
      <Stack component="ol" gap={14} fz="sm" lh="1.25rem">
        {events.map(({ kind, at, mark, words }, index) => (
          <Group key={`${kind}${at}`} component="li" wrap="nowrap" align="flex-start" gap="sm">
            <Avatar size={20} radius="xl" fz="var(--tw-fs-11)" aria-hidden>
              {index + 1}
            </Avatar>
            <div>
              <b>{eventLabels[kind]}</b>
              <Note>
                {formatDate(at)}, {formatSeconds(at)} UTC
                {mark !== null && (
                  <>
                    {' · '}
                    {t`Mark price ${formatPrice(mark, trade.symbol)}`}
                  </>
                )}
              </Note>
              <Text inherit c="var(--tw-text-2)">
                {translate(words)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
      {decisions.length > 0 && (
        <Stack gap="xs" mt="md" pt="sm" c="var(--tw-text-2)" fz="sm" style={{ borderTop: '1px solid var(--tw-line)' }}>
          <Title order={3} c="var(--tw-text)">{t`Strategy decisions`}</Title>
          <ul>
            {decisions.map(({ at, side, words }) => (
              <li key={side}>
                <Note span>{formatTime(at)} UTC</Note> {translate(words)}
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </Panel>
  );
}

/**
 * The member's balance after the transfer: of the debited account if it is the member's, otherwise of the credited one.
 */
function Balance({ transfer }: { transfer: TradeTransfer }) {
  const { from, to, from_balance_after: ofFrom, to_balance_after: ofTo } = transfer;
  const lines = [
    [from, ofFrom],
    [to, ofTo],
  ] as const;
  return lines.map(([account, balance]) =>
    balance === null ? null : (
      <small key={account}>
        {accountName(account)} ${exactDollars(balance)}
      </small>
    ),
  );
}

const columns: readonly Column<TradeTransfer>[] = [
  column(t`Market time, UTC`, (row) => `${formatDay(row.market_at)}, ${formatSeconds(row.market_at)}`),
  column(t`Type`, (row) => (
    <>
      {transferLabel(row.reason)}
      <small>{t`Transfer ${row.id}`}</small>
    </>
  )),
  column(t`From and to`, (row) => `${accountName(row.from)} → ${accountName(row.to)}`),
  rightColumn(t`Amount`, (row) => `$${exactDollars(row.amount)}`),
  rightColumn(t`Balance after`, (row) => <Balance transfer={row} />),
];

/** Every transfer of the trade, as in the ledger. */
export function TransfersPanel({ transfers, query }: { transfers: TradeDetail['transfers']; query: ListQuery }) {
  return (
    <TablePanel
      title={t`Ledger transfers`}
      columns={columns}
      rows={transfers}
      rowKey={(row) => row.id}
      query={query}
      mobileRow={(row) => (
        <MobileRow>
          <span>
            {transferLabel(row.reason)}
            <span>${exactDollars(row.amount)}</span>
          </span>
          <small>
            {formatDateTime(row.market_at)} · {accountName(row.from)} → {accountName(row.to)}
          </small>
        </MobileRow>
      )}
      empty={{ icon: IconArrowsSort, title: t`No transfers yet` }}
    />
  );
}
