import { Box, Checkbox, Group, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { consoleVenueFills } from '#contract/endpoints.ts';
import type { UnsoldAsset, VenueFillProposal } from '#contract/operator/venue-fills.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatMoney, formatPercent } from '../../../ui/format/number.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { CopyBox, DetailFacts, DetailSection, Quiet } from '../kit/detail-panel.tsx';
import { REASON_MISSING, readSignedAmount, SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { Loaded } from '../kit/list-table.tsx';
import { overviewQuery } from '../shell/queries.ts';

const UNSOLD_POLL_MS = 15_000;

const unsoldQuery = queryOf(['operator', 'venue_fills', 'unsold'], consoleVenueFills.listUnsold, {
  pollMs: UNSOLD_POLL_MS,
});

const fillKind: ApprovalKind<VenueFillProposal> = {
  key: 'venue_fills',
  name: 'Exchange fill',
  list: (query, signal) => call(consoleVenueFills.listVenueFills, { query, signal }),
  approve: (params, body) => call(consoleVenueFills.approveVenueFill, { params, body }),
  reject: (params, body) => call(consoleVenueFills.rejectVenueFill, { params, body }),
  withdraw: (params, body) => call(consoleVenueFills.withdrawVenueFill, { params, body }),
  second: 'operator',
  states: { posted: 'Booked' },
  approves: 'Approving books it immediately.',
  texts: (sale) => {
    const { quantity, symbol, cost, fee, where, mark, price } = sale;
    const coins = `${quantity} ${symbol.toUpperCase()}`;
    const dollars = `for ${formatMoney(cost, 'typed')}, fee ${formatMoney(fee, 'typed')}.`;
    if (isOrder(sale)) {
      const what = isNothing(sale) ? 'The order filled nothing.' : `The order ${VERBS[sale.side]} ${coins} ${dollars}`;
      return {
        approve: `${what} ${isNothing(sale) ? 'Its trades wait again.' : markText(price, mark)} Confirm that you have seen it yourself: ${where}.`,
        reject: `${what} Nothing is booked, and its trades go on waiting.`,
        withdraw: `${what} Your proposal is withdrawn, and its trades go on waiting.`,
      };
    }
    const what = `${coins} at ${where} ${dollars}`;
    return {
      approve: `${what} ${markText(price, mark)} Confirm that you have seen the sale and that the dollars are at the exchange. Members are paid at this price.`,
      reject: `${what} Nothing is booked.`,
      withdraw: `${what} Your proposal is withdrawn and nothing is booked.`,
    };
  },
  busy: 'Booking',
  done: 'Exchange fill booked',
};

const VERBS = { buy: 'bought', sell: 'sold' } as const;
const isOrder = ({ client_order_id: order }: VenueFillProposal) => order !== null;
const nameOf = (order: UnsoldAsset['order']) => (order === null ? 'session' : `order to ${order.side}`);
const isNothing = ({ quantity }: VenueFillProposal) => Number(quantity) === 0;

/** What the exchange could not sell when a session ended or does not answer about, and what was recorded of it. */
export function ExchangeFillsPage() {
  const unsold = useQuery(unsoldQuery);
  const overview = useQuery(overviewQuery);
  const items = unsold.data?.items ?? [];
  return (
    <ApprovalPage
      kind={fillKind}
      path="exchange-fills"
      title="Exchange fills"
      facts="Coins that the exchange could not sell, sold elsewhere, and orders that it no longer answers about. One operator records what was filled, another one approves it."
      label="Fills"
      icon={IconCoins}
      columns={columns}
      {...(items.length > 0 && {
        propose: {
          button: 'Record fill',
          dialog: (opened, onClose) => <RecordFill opened={opened} onClose={onClose} unsold={items} />,
        },
      })}
      lead={({ symbol, side, cost, fee }) => (
        <Figure label={`${symbol.toUpperCase()} ${VERBS[side]}`} size="xl" foot={`fee ${formatMoney(fee, 2)}`}>
          <Money value={cost} />
        </Figure>
      )}
      sections={(sale) => (
        <>
          <DetailFacts
            title={isOrder(sale) ? 'Order' : 'Sale'}
            items={[
              ['Session', formatDate(sale.day)],
              ['Coins', sale.quantity],
              !isNothing(sale) && ['Net price', formatMoney(Number(sale.price))],
              !isNothing(sale) && ['Against the mark', markText(sale.price, sale.mark)],
              [isOrder(sale) ? 'According to' : 'Where', sale.where],
              sale.batch_id !== null && ['Batch', `No. ${sale.batch_id}`],
            ]}
          />
          <DetailSection title="Reason">{sale.reason}</DetailSection>
          {sale.client_order_id !== null && (
            <DetailSection title="Our id of the order">
              <CopyBox value={sale.client_order_id} what="order id" />
            </DetailSection>
          )}
          <DetailSection title="Trade or payment there">
            <CopyBox value={sale.transaction} what="reference" />
          </DetailSection>
        </>
      )}
    >
      <Loaded query={unsold} title="Unsold positions could not be loaded">
        {() => <Unsold items={items} venue={overview.data?.venue.kind} />}
      </Loaded>
    </ApprovalPage>
  );
}

const columns = proposalColumns<VenueFillProposal>(
  [
    column('Fill', (row) =>
      lines(`${row.quantity} ${row.symbol.toUpperCase()} ${VERBS[row.side]}`, isOrder(row) ? 'Order' : row.where),
    ),
  ],
  [rightColumn('Dollars', (row) => <Money value={row.cost} />, { width: '140px' })],
);

/** Residuals waiting for a buyer, and orders for an answer. */
const Unsold = ({ items, venue }: { items: readonly UnsoldAsset[]; venue: 'paper' | 'ccxt' | undefined }) =>
  items.length === 0 ? (
    <Panel title="Left to record">
      {venue === 'paper'
        ? 'Trades are filled on paper here. With VENUE=ccxt positions that the exchange could not sell at the close appear here.'
        : `${venue ? 'Every position was sold at the exchange' : 'Nothing is left to record'}. A position that the exchange could not sell at the close appears here, and an order that it says nothing about for an hour.`}
    </Panel>
  ) : (
    <Panel title="Left to record" rule padded={false}>
      <Rows>
        {items.map(({ day, symbol, order, quantity, held, mark, mark_at, carried }) => (
          <Group key={keyOf({ day, symbol, order })} component="li" gap="sm" fz="sm" align="start">
            <Box flex="1 1 160px">
              {symbol.toUpperCase()}
              <Quiet>{`${nameOf(order)} of ${formatDate(day)}${order ? ', not answered' : carried ? ', carried over' : ''}`}</Quiet>
            </Box>
            <Box ta="right" ml="auto">
              {quantity} coins
              <Quiet>{`${held} held${mark === null ? '' : `, mark ${formatMoney(Number(mark))}`}`}</Quiet>
              {mark_at !== null && <Quiet>{formatDateTime(mark_at)}</Quiet>}
            </Box>
          </Group>
        ))}
      </Rows>
    </Panel>
  );

type RecordFillProps = { opened: boolean; onClose: () => void; unsold: readonly UnsoldAsset[] };

const nothing = { quantity: '', cost: '', fee: '0', where: '', transaction: '', reason: '', far: '' };
const keyOf = ({ day, symbol, order }: Pick<UnsoldAsset, 'day' | 'symbol' | 'order'>) =>
  `${symbol} ${day} ${order?.batch_id ?? 'sale'}`;
const NO_PRICE = { price: '', isFar: false };

/** Coins sold elsewhere, or what an order filled; a second operator posts it. */
function RecordFill({ opened, onClose, unsold }: RecordFillProps) {
  const assetOf = (key: string) => unsold.find((one) => keyOf(one) === key);
  /** Dollars per coin, once they can be calculated. */
  const priceOf = ({ asset, quantity, cost, fee }: { asset: string; quantity: string; cost: string; fee: string }) => {
    const sign = assetOf(asset)?.order?.side === 'buy' ? 1 : -1;
    const price = ((readSignedAmount(cost) ?? 0) + sign * (readSignedAmount(fee) ?? 0)) / Number(quantity);
    if (!Number.isFinite(price) || price <= 0) return NO_PRICE;
    return { price: String(price), isFar: isFarFromMark(price, assetOf(asset)?.mark ?? null) };
  };
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Record a fill"
      size={480}
      initial={{ ...nothing, asset: unsold[0] === undefined ? '' : keyOf(unsold[0]) }}
      check={(values) => ({
        ...(assetOf(values.asset) === undefined && { asset: 'This was settled meanwhile.' }),
        ...(!/^\d{1,15}(\.\d{1,12})?$/.test(values.quantity) && { quantity: 'Enter coins in numbers.' }),
        ...(!((readSignedAmount(values.cost) ?? 0) > 0) &&
          !(assetOf(values.asset)?.order && Number(values.quantity) === 0) && { cost: 'Enter an amount above 0.' }),
        ...(!/^[\d.,]+$/.test(values.fee) && { fee: 'Enter the fee, or 0.' }),
        ...(values.where === '' && { where: 'Say where.' }),
        ...(values.transaction === '' && { transaction: 'Enter the reference.' }),
        ...(values.reason === '' && { reason: REASON_MISSING }),
        ...(priceOf(values).isFar && values.far === '' && { far: 'Check the price.' }),
      })}
      confirm="Record fill"
      busyLabel="Recording"
      send={({ asset, cost, fee, far, ...typed }) => {
        const { day = '', symbol = '', order } = assetOf(asset) ?? {};
        const amounts = { cost: readSignedAmount(cost) ?? 0, fee: readSignedAmount(fee) ?? 0 };
        return call(consoleVenueFills.proposeVenueFill, {
          body: {
            ...(order && { batch_id: order.batch_id }),
            day,
            symbol,
            ...amounts,
            ...typed,
            far_from_mark: far !== '',
          },
        });
      }}
      refreshes={['venue_fills', 'overview']}
      done={toApprove('Fill recorded')}
    >
      {({ values, set, typed, amount }) => {
        const { price, isFar } = priceOf(values);
        const sold = assetOf(values.asset);
        const [coins, dollars] = sold?.order?.side === 'buy' ? ['received', 'paid'] : ['sold', 'received'];
        return (
          <>
            <Select
              label="Asset"
              data={unsold.map((one) => ({
                value: keyOf(one),
                label: `${one.symbol.toUpperCase()}, ${nameOf(one.order)} of ${formatDate(one.day)}`,
              }))}
              allowDeselect={false}
              value={values.asset}
              error={typed('asset').error}
              onChange={(next) => next && set('asset', next)}
            />
            <TextInput
              label={`Coins ${coins}`}
              description={
                sold?.order
                  ? `${sold.quantity} were ordered. 0 if nothing was filled: its trades then wait again.`
                  : sold && `${sold.quantity} are left to sell, ${sold.held} held.`
              }
              {...amount('quantity')}
            />
            <SimpleGrid cols={2} spacing={12}>
              <TextInput label={`Dollars ${dollars}`} {...amount('cost')} />
              <TextInput label="Fee in it" {...amount('fee')} />
            </SimpleGrid>
            {isFar && (
              <Checkbox
                label="The price is right"
                description={markText(price, sold?.mark ?? null)}
                error={typed('far').error}
                checked={values.far !== ''}
                onChange={({ currentTarget }) => set('far', currentTarget.checked ? 'yes' : '')}
              />
            )}
            <TextInput
              label="Where"
              {...(sold?.order && { description: 'The record of the exchange that says so.' })}
              maxLength={100}
              autoComplete="off"
              {...typed('where')}
            />
            <TextInput
              label="Reference"
              description={
                sold?.order ? 'The exchange’s id of the fill, or of its answer.' : 'Of the trade or payment there.'
              }
              autoComplete="off"
              spellCheck={false}
              {...typed('transaction')}
            />
            <TextInput label="Reason" maxLength={300} {...typed('reason')} />
          </>
        );
      }}
    </SendDialog>
  );
}

/** A price further from the mark than this requires an explicit confirmation, as the server requires too. */
const FAR = 0.2;

/** The deviation of a net price from the mark, as a fraction; undefined without a mark. */
const distanceOf = (price: number, mark: string | null): number | undefined =>
  mark === null ? undefined : price / Number(mark) - 1;

const isFarFromMark = (price: number, mark: string | null): boolean => Math.abs(distanceOf(price, mark) ?? 0) > FAR;

/** `1.20% below the mark.` */
function markText(price: string, mark: string | null): string {
  const distance = distanceOf(Number(price), mark);
  if (distance === undefined) return 'There is no mark to compare with.';
  return `${formatPercent(Math.abs(distance) * 100)} ${distance < 0 ? 'below' : 'above'} the mark.`;
}
