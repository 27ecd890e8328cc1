import { Box, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { consoleTreasury } from '#contract/endpoints.ts';
import type { RevenueAccount, Treasury, TreasuryKind, TreasuryMove } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { sendTo } from '../../../api/send-to.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { CopyBox, DetailFacts, DetailSection } from '../kit/detail-panel.tsx';
import { REASON_MISSING, readSignedAmount, SegmentsField, SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { Loaded } from '../kit/list-table.tsx';
import { accountLabels, optionsOf } from '../ledger/labels.ts';

const moveKind: ApprovalKind<TreasuryMove> = {
  key: 'treasury',
  name: 'Treasury move',
  list: (query, signal) => call(consoleTreasury.listTreasuryMoves, { query, signal }),
  approve: (params, body) => call(consoleTreasury.approveTreasuryMove, { params, body }),
  reject: (params, body) => call(consoleTreasury.rejectTreasuryMove, { params, body }),
  withdraw: (params, body) => call(consoleTreasury.withdrawTreasuryMove, { params, body }),
  second: 'operator',
  approves: 'Approving posts it immediately.',
  texts: ({ kind, source, amount, sale }) => {
    if (sale !== null) return saleTexts(sale);
    const account = source ? `, ${accountLabels[source].toLowerCase()}` : '';
    const what = `${kindLabels[kind]}${account}: ${formatMoney(amount, 'typed')}.`;
    return {
      approve: `${what} Confirm that you have seen the external payment. It is posted immediately.`,
      reject: `${what} Nothing is posted.`,
      withdraw: `${what} Your proposal is withdrawn and nothing is posted.`,
    };
  },
  busy: 'Posting',
  done: 'Treasury move posted',
};

type Sale = NonNullable<TreasuryMove['sale']>;

const saleText = ({ units, limit_price }: Sale) => `${units} BTC at ${formatMoney(limit_price, 2)} or more`;

const saleTexts = (sale: Sale) => ({
  approve: `Sell ${saleText(sale)}. Confirm that the exchange has the Bitcoin. One order is placed immediately.`,
  reject: `${saleText(sale)}. Nothing is sold.`,
  withdraw: `${saleText(sale)}. Your proposal is withdrawn and nothing is sold.`,
});

const saleStates = { waiting: 'Waiting for the exchange', ordered: 'Ordered', sold: 'Sold', unsold: 'Not sold' };

/** The state of a sale, and how much was sold. */
const SaleSection = ({ sale: { units, limit_price, state, sold, proceeds, reason } }: { sale: Sale }) => (
  <DetailFacts
    title="Sale"
    items={[
      ['Lowest price', formatMoney(limit_price, 2)],
      state !== null && ['State', saleStates[state]],
      sold !== null && ['Sold', `${sold} of ${units} BTC`],
      sold !== null && ['Proceeds, net of fees', formatMoney(proceeds, 2)],
      reason !== null && ['Reason', reason],
    ]}
  />
);

/** Company funds, and the moves of them. */
export const TreasuryPage = () => (
  <ApprovalPage
    kind={moveKind}
    path="treasury"
    title="Treasury"
    facts="Company funds. One operator records a move, another one approves it."
    label="Moves"
    icon={IconBuildingBank}
    columns={columns}
    propose={{
      button: 'Record move',
      dialog: (opened, onClose) => <ProposeMove {...{ opened, onClose }} />,
    }}
    lead={({ kind, source, amount, sale }) => (
      <Figure
        label={kindLabels[kind]}
        size="xl"
        foot={sale ? `at least ${formatMoney(amount, 2)}` : source && `from ${accountLabels[source]}`}
      >
        {sale ? `${sale.units} BTC` : <Money value={amount} />}
      </Figure>
    )}
    sections={({ reason, transaction, sale }) => (
      <>
        {sale && <SaleSection sale={sale} />}
        <DetailSection title="Reason">{reason}</DetailSection>
        <DetailSection title="External payment">
          <CopyBox value={transaction} what="transaction hash" />
        </DetailSection>
      </>
    )}
  >
    <Loaded query={useQuery(treasuryQuery)} title="The treasury could not be loaded">
      {(treasury) => <TreasuryFigures treasury={treasury} />}
    </Loaded>
  </ApprovalPage>
);

const columns = proposalColumns<TreasuryMove>(
  [
    column('Move', (row) =>
      lines(kindLabels[row.kind], row.sale ? `${row.sale.units} BTC` : row.source && accountLabels[row.source]),
    ),
  ],
  [rightColumn('Amount', (row) => <Money value={row.amount} />, { width: '140px' })],
);

/** Balances of gateway and venue, company funds, pools, and residuals. */
function TreasuryFigures({ treasury }: { treasury: Treasury }) {
  const { gateway, venue, gateway_deviation, gateway_coins, unallocated, surplus, pools, exposure } = treasury;
  const line = (label: string, value: number) => [label, formatMoney(value, 2)] as const;
  return (
    <>
      <FigureStrip>
        <Figure label="Gateway, booked" foot={reportOf(gateway)}>
          {formatMoney(gateway.booked, 2)}
        </Figure>
        <Figure label="Venue, booked" foot={reportOf(venue)}>
          {formatMoney(venue.booked, 2)}
        </Figure>
        <Figure label="Unallocated" foot="held for deposits in review">
          {formatMoney(unallocated, 2)}
        </Figure>
        <Figure label="Surplus" foot="company funds">
          {formatMoney(surplus, 2)}
        </Figure>
      </FigureStrip>
      <SimpleGrid
        flex="none"
        cols={{ base: 1, sm: 2, xl: gateway_coins.length > 0 ? 4 : 3 }}
        style={{ alignItems: 'start' }}
      >
        {/* Of three panels in two columns, the two short ones share one. */}
        <Box style={gateway_coins.length > 0 ? {} : { gridRow: 'span 2' }}>
          <Panel title="Company funds">
            <KeyValues
              items={[
                line('Fee revenue', treasury.fee_revenue),
                line('Withdrawal fees', treasury.withdrawal_fees),
                line('Venue result', treasury.venue_result),
                line('Gateway result', treasury.gateway_result),
                line('Adjustments', treasury.adjustments),
              ]}
            />
          </Panel>
        </Box>
        {gateway_coins.length > 0 && (
          <Panel title="At the gateway">
            <KeyValues
              items={[
                ...gateway_coins.flatMap(({ asset, units, value, valued_at, valued }) => [
                  [asset, units] as const,
                  [`Value of ${asset}`, formatMoney(value, 2)] as const,
                  valued && valued_at
                    ? (['Valued', `${formatTime(valued_at)} UTC`] as const)
                    : (['Not valued since', valued_at ? formatDateTime(valued_at) : '–'] as const),
                ]),
                ['Reported less booked', formatMoney(gateway_deviation, 2)],
              ]}
            />
          </Panel>
        )}
        <Panel title="Pools">
          <KeyValues
            items={pools.map(({ account, balance, owed }) => [
              accountLabels[account],
              `${formatMoney(balance, 2)}${owed === null ? '' : `, ${formatMoney(owed, 2)} claimed`}`,
            ])}
          />
        </Panel>
        <Panel title="Residuals">
          {exposure.length === 0 && 'The exchange holds exactly what members have.'}
          <KeyValues
            items={exposure.map(({ symbol, quantity, value }) => [
              symbol.toUpperCase(),
              `${quantity}${value === null ? '' : `, ${formatMoney(value, 2)}`}`,
            ])}
          />
        </Panel>
      </SimpleGrid>
    </>
  );
}

/**
 * The provider's reported balance and its time; an unknown one, or one more than an hour old, is marked as such
 * (docs/solvency.md).
 */
function reportOf({ reported, reported_at }: Treasury['gateway']): string {
  if (reported_at === null) return 'no report yet';
  return reported === null
    ? `last report ${formatDateTime(reported_at)}, too old to count`
    : `${formatMoney(reported, 2)} reported at ${formatTime(reported_at)} UTC`;
}

/**
 * Moves between gateway and venue, owner's capital, withdrawn revenue, and sold Bitcoin (docs/product.md, section 2).
 */
const kindLabels: Record<TreasuryKind, string> = {
  venue_fund: 'Gateway to venue',
  venue_return: 'Venue to gateway',
  capital_in: 'Capital contribution',
  revenue_out: 'Revenue withdrawal',
  coin_sale: 'Bitcoin sale',
};

const sources: readonly RevenueAccount[] = ['fee_revenue', 'withdrawal_fees'];

const TREASURY_POLL_MS = 15_000;

const treasuryQuery = queryOf(['operator', 'treasury', 'state'], consoleTreasury.getTreasury, {
  pollMs: TREASURY_POLL_MS,
});

const ABOVE_ZERO = 'Enter an amount above 0.';
const isAmount = (text: string) => (readSignedAmount(text) ?? 0) > 0;

const nothing = {
  kind: 'venue_fund',
  source: 'fee_revenue',
  amount: '',
  units: '',
  limit_price: '',
  reason: '',
  transaction: '',
};

/** Records an external payment of company funds; a second operator posts it, or has the exchange sell. */
function ProposeMove({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { data } = useQuery(treasuryQuery);
  const hasCoins = data !== undefined && data.gateway_coins.length > 0;
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Record a treasury move"
      initial={nothing}
      check={({ kind, amount, units, limit_price, reason, transaction }) => ({
        ...(kind !== 'coin_sale' && !isAmount(amount) && { amount: ABOVE_ZERO }),
        ...(kind === 'coin_sale' && !(Number(units) > 0) && { units: ABOVE_ZERO }),
        ...(kind === 'coin_sale' && !isAmount(limit_price) && { limit_price: ABOVE_ZERO }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...(transaction === '' && { transaction: 'Enter the transaction hash.' }),
      })}
      confirm="Record move"
      busyLabel="Recording"
      send={({ kind: chosen, source: from, amount: dollars, units, limit_price: least, ...about }) => {
        const [kind, source] = [chosen as TreasuryKind, from as RevenueAccount];
        const amount = readSignedAmount(dollars) ?? 0;
        const propose = sendTo(consoleTreasury.proposeTreasuryMove);
        if (kind === 'coin_sale') return propose({ kind, units, limit_price: readSignedAmount(least) ?? 0, ...about });
        return kind === 'revenue_out'
          ? propose({ kind, source, amount, ...about })
          : propose({ kind, amount, ...about });
      }}
      refreshes={['treasury', 'overview']}
      done={toApprove('Move recorded')}
    >
      {({ values, set, typed, amount }) => (
        <>
          <Select
            label="Move"
            data={optionsOf(kindLabels).filter(({ value }) => hasCoins || value !== 'coin_sale')}
            allowDeselect={false}
            value={values.kind}
            onChange={(next) => next && set('kind', next)}
          />
          {values.kind === 'revenue_out' && (
            <SegmentsField
              label="From account"
              options={sources.map((value) => ({ value, label: accountLabels[value] }))}
              value={values.source as RevenueAccount}
              onChange={(source) => set('source', source)}
            />
          )}
          {values.kind === 'coin_sale' ? (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput label="Bitcoin" {...amount('units')} />
              <TextInput label="Lowest price" {...amount('limit_price')} />
            </SimpleGrid>
          ) : (
            <TextInput label="Amount" {...amount('amount')} />
          )}
          <Textarea label="Reason" rows={2} maxLength={300} {...typed('reason')} />
          <TextInput
            label="Transaction hash"
            description={
              values.kind === 'coin_sale' ? 'Of the Bitcoin sent to the exchange.' : 'Of the external payment.'
            }
            autoComplete="off"
            spellCheck={false}
            {...typed('transaction')}
          />
        </>
      )}
    </SendDialog>
  );
}
