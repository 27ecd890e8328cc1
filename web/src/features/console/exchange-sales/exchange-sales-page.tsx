import { Box, Group } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UnsoldAsset, VenueFillProposal } from '#contract/operator/venue-fills.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Rows } from '../../../ui/layout/rows.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { CopyBox, DetailFacts, DetailSection, Quiet } from '../kit/detail-panel.tsx';
import { LoadFailed, PageLoading } from '../kit/list-table.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { markWords } from './mark-words.ts';
import { RecordSale } from './record-sale.tsx';

const rows = endpoints.consoleVenueFills;
const UNSOLD_POLL_MS = 15_000;

const unsoldQuery = queryOptions({
  queryKey: ['operator', 'venue_fills', 'unsold'],
  queryFn: ({ signal }) => call(rows.listUnsold, { signal }),
  refetchInterval: pollEvery(UNSOLD_POLL_MS),
});

const saleKind: ApprovalKind<VenueFillProposal> = {
  key: 'venue_fills',
  name: 'Exchange sale',
  list: (query, signal) => call(rows.listVenueFills, { query, signal }),
  approve: (params, body) => call(rows.approveVenueFill, { params, body }),
  reject: (params, body) => call(rows.rejectVenueFill, { params, body }),
  withdraw: (params, body) => call(rows.withdrawVenueFill, { params, body }),
  second: 'operator',
  states: { posted: 'Booked' },
  approves: 'Approving books it immediately.',
  texts: (sale) => {
    const { quantity, symbol, cost, fee, where, mark, price } = sale;
    const what = `${quantity} ${symbol.toUpperCase()} at ${where} for ${formatMoney(cost, 'typed')}, fee ${formatMoney(fee, 'typed')}.`;
    return {
      approve: `${what} ${markWords(price, mark)} Confirm that you have seen the sale and that the dollars are at the exchange. Members are paid at this price.`,
      reject: `${what} Nothing is booked.`,
      withdraw: `${what} Your proposal is withdrawn and nothing is booked.`,
    };
  },
  busy: 'Booking',
  done: 'Exchange sale booked',
};

/** What the exchange could not sell when a session ended, and the coins of it that were sold elsewhere. */
export function ExchangeSalesPage() {
  const unsold = useQuery(unsoldQuery);
  const overview = useQuery(overviewQuery);
  const items = unsold.data?.items ?? [];
  return (
    <ApprovalPage
      kind={saleKind}
      path="exchange-sales"
      title="Exchange sales"
      facts="Coins that the exchange could not sell, sold elsewhere. One operator records a sale, another one approves it."
      label="Sales"
      icon={IconCoins}
      columns={columns}
      {...(items.length > 0 && {
        propose: {
          button: 'Record sale',
          dialog: (opened, onClose) => <RecordSale opened={opened} onClose={onClose} unsold={items} />,
        },
      })}
      lead={({ symbol, cost, fee }) => (
        <Figure label={`${symbol.toUpperCase()} sold`} size="xl" foot={`fee ${formatMoney(fee, 2)}`}>
          <Money value={cost} />
        </Figure>
      )}
      sections={(sale) => (
        <>
          <DetailFacts
            title="Sale"
            items={[
              ['Session', formatDate(sale.day)],
              ['Coins', sale.quantity],
              ['Net price', formatMoney(Number(sale.price))],
              ['Against the mark', markWords(sale.price, sale.mark)],
              ['Where', sale.where],
              sale.batch_id !== null && ['Batch', `No. ${sale.batch_id}`],
            ]}
          />
          <DetailSection title="Reason">{sale.reason}</DetailSection>
          <DetailSection title="Trade or payment there">
            <CopyBox value={sale.transaction} what="reference" />
          </DetailSection>
        </>
      )}
    >
      {unsold.isError && !unsold.data ? (
        <LoadFailed query={unsold} title="Unsold positions could not be loaded" />
      ) : unsold.data ? (
        <Unsold items={items} isPaper={overview.data?.venue.kind === 'paper'} />
      ) : (
        <PageLoading />
      )}
    </ApprovalPage>
  );
}

const columns = proposalColumns<VenueFillProposal>(
  [column('Sale', (row) => lines(`${row.quantity} ${row.symbol.toUpperCase()}`, row.where))],
  [rightColumn('Dollars', (row) => <Money value={row.cost} />, { width: '140px' })],
);

/** What waits for a buyer. */
const Unsold = ({ items, isPaper }: { items: readonly UnsoldAsset[]; isPaper: boolean }) =>
  items.length === 0 ? (
    <Panel title="Left to sell">
      {isPaper
        ? 'Trades are filled on paper here. With VENUE=ccxt positions that the exchange could not sell at the close appear here.'
        : 'Every position was sold at the exchange. One that it could not sell at the close appears here.'}
    </Panel>
  ) : (
    <Panel title="Left to sell" rule padded={false}>
      <Rows>
        {items.map(({ day, symbol, quantity, held, mark, mark_at, carried }) => (
          <Group key={`${symbol} ${day}`} component="li" gap="sm" wrap="nowrap" fz="sm" align="start">
            <Box flex={1} miw={0}>
              {symbol.toUpperCase()}
              <Quiet>{`session of ${formatDate(day)}${carried ? ', carried over' : ''}`}</Quiet>
            </Box>
            <Box ta="right">
              {quantity} coins
              <Quiet>{`${held} held${mark === null ? '' : `, mark ${formatMoney(Number(mark))}`}`}</Quiet>
              {mark_at !== null && <Quiet>{formatDateTime(mark_at)}</Quiet>}
            </Box>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
