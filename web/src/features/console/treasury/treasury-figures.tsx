import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Treasury } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { DeskError, DeskLoading } from '../kit/list-table.tsx';
import classes from './treasury.module.css';

const TREASURY_POLL_MS = 15_000;

const treasuryQuery = queryOptions({
  queryKey: ['operator', 'treasury', 'state'],
  queryFn: ({ signal }) => call(endpoints.consoleTreasury.getTreasury, { signal }),
  refetchInterval: pollEvery(TREASURY_POLL_MS),
});

const poolWords = { pool_weekly: 'Weekly pool', pool_monthly: 'Monthly pool', pool_rewards: 'Rewards pool' } as const;

/** What gateway and venue hold, what is the house's own, what pools owe, and what no order hedges. */
export function TreasuryFigures() {
  const query = useQuery(treasuryQuery);
  if (!query.data) {
    return query.isError ? <DeskError query={query} title="The treasury could not be loaded" /> : <DeskLoading />;
  }
  const { gateway, venue, unallocated, fee_revenue, withdrawal_fees, venue_result, adjustments, surplus } = query.data;
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
        <Figure label="Surplus" foot="what is the house’s own">
          {formatMoney(surplus, 2)}
        </Figure>
      </FigureStrip>
      <div className={classes.panels}>
        <Panel title="The house’s own">
          <KeyValues
            items={[
              ['Fee revenue', formatMoney(fee_revenue, 2)],
              ['Withdrawal fees', formatMoney(withdrawal_fees, 2)],
              ['Venue result', formatMoney(venue_result, 2)],
              ['Adjustments', formatMoney(adjustments, 2)],
            ]}
          />
        </Panel>
        <Panel title="Pools">
          <KeyValues
            items={query.data.pools.map(({ account, balance, owed }) => [
              poolWords[account],
              `${formatMoney(balance, 2)}${owed === null ? '' : `, ${formatMoney(owed, 2)} claimed`}`,
            ])}
          />
        </Panel>
        <Panel title="Not hedged">
          <Exposure exposure={query.data.exposure} />
        </Panel>
      </div>
    </>
  );
}

/** What is reported from outside, and when; unknown is said to be unknown. */
const reportOf = ({ reported, reported_at }: Treasury['gateway']): string =>
  reported === null || reported_at === null
    ? 'nothing was reported'
    : `${formatMoney(reported, 2)} reported at ${formatTime(reported_at)} UTC`;

function Exposure({ exposure }: { exposure: Treasury['exposure'] }) {
  if (exposure.length === 0) return 'Nothing is open.';
  return (
    <KeyValues
      items={exposure.map(({ symbol, quantity, value }) => [
        symbol.toUpperCase(),
        `${quantity}${value === null ? '' : `, ${formatMoney(value, 2)}`}`,
      ])}
    />
  );
}
