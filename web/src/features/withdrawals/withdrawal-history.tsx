import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Withdrawal, WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge, stateOptions } from '../../ui/state/state-badge.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../ui/table/data-table.tsx';
import { openColumn, StateList } from '../../ui/table/state-list.tsx';
import { Money } from '../../ui/text/money.tsx';
import { CodeText, Quiet, shorten, When } from '../../ui/text/text.tsx';
import { downloadWithdrawals, termsQuery, withdrawalsQuery } from './queries.ts';
import { networkName } from './withdrawal-labels.ts';
import { WithdrawalPanel } from './withdrawal-panel.tsx';

const states = stateOptions('withdrawal');

type LinkOf = (withdrawal: Withdrawal) => { pathname: string; search: string };

const columnsWith = (linkOf: LinkOf): readonly Column<Withdrawal>[] => [
  column(t`Requested, UTC`, (row) => (
    <>
      <When at={row.created_at} />
      <small>
        <CodeText>{row.reference}</CodeText>
      </small>
    </>
  )),
  column(t`To`, (row) => (
    <Quiet>
      <To withdrawal={row} />
    </Quiet>
  )),
  rightColumn(t`Amount`, (row) => <Money value={row.amount} />),
  rightColumn(t`Fee`, (row) => <Money value={row.fee} />),
  rightColumn(t`Net`, (row) => <Money value={row.net} />),
  column(t`State`, (row) => <StateBadge of="withdrawal" state={row.state} />),
  openColumn((row) => t`Withdrawal ${row.reference}`, linkOf),
];

const To = ({ withdrawal: { address, network } }: { withdrawal: Withdrawal }) => (
  <>
    <CodeText>{shorten(address)}</CodeText> · {networkName(network)}
  </>
);

function RowOnMobile({ row, linkOf }: { row: Withdrawal; linkOf: LinkOf }) {
  return (
    <MobileRow to={linkOf(row)} preventScrollReset>
      <span>
        <Money value={row.amount} />
        <StateBadge of="withdrawal" state={row.state} />
      </span>
      <span>
        <small>{formatDateTime(row.created_at)}</small>
        <small style={{ textAlign: 'end' }}>
          <To withdrawal={row} />
        </small>
      </span>
    </MobileRow>
  );
}

type WithdrawalHistoryProps = {
  /** The withdrawal shown beside the list. */
  selectedId?: string | undefined;
  /** The next step while there are none, where the page does not show it anyway. */
  emptyAction?: ReactNode;
};

export function WithdrawalHistory({ selectedId, emptyAction }: WithdrawalHistoryProps) {
  const [search] = useSearchParams();
  // The filter is preserved when one is opened.
  const linkOf: LinkOf = ({ id }) => {
    const state = states.find(({ value }) => value === search.get('state'))?.value;
    const to = new URLSearchParams(state ? { state } : {});
    to.set('withdrawal', id);
    return { pathname: paths.withdrawalHistory, search: to.toString() };
  };
  return (
    <StateList
      title={t`Withdrawal history`}
      states={states}
      queryOf={withdrawalsQuery}
      columns={columnsWith(linkOf)}
      selected={selectedId}
      mobileRow={(row) => <RowOnMobile row={row} linkOf={linkOf} />}
      hidden={(state) => ({
        title: t`No withdrawals with state “${state}”`,
        text: t`Withdrawals with other states are hidden by the filter.`,
      })}
      file={{ name: 'withdrawals', read: downloadWithdrawals }}
      empty={{
        icon: IconUpload,
        title: t`No withdrawals yet`,
        text: t`Your withdrawals are listed here, from the request to the payment.`,
        action: emptyAction,
      }}
    />
  );
}

/** Part of the initial page, which would shift if the note came with the terms. */
export const SimulatedPayouts = ({ terms }: { terms: WithdrawalTerms | undefined }) =>
  (terms?.simulated ?? appInfo.payments.includes('sandbox')) && (
    <ModeNote>{t`Simulated payouts: no real money moves`}</ModeNote>
  );

/** All withdrawals; the open one is in the address (`?withdrawal=7`) and beside the list. */
export function WithdrawalHistoryPage() {
  const { data: terms } = useQuery(termsQuery);
  const [search] = useSearchParams();
  const openedId = search.get('withdrawal') ?? undefined;
  const closing = new URLSearchParams(search);
  closing.delete('withdrawal');

  return (
    <>
      <PageHead title={t`Withdrawal history`} facts={t`All your withdrawals and their states.`}>
        <SimulatedPayouts terms={terms} />
        <Button
          component={Link}
          to={paths.withdrawal}
          leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />}
        >{t`Withdraw`}</Button>
      </PageHead>
      <Columns from={1400} lastFirst={openedId !== undefined}>
        <WithdrawalHistory
          selectedId={openedId}
          emptyAction={<Button component={Link} to={paths.withdrawal} variant="default">{t`Withdraw`}</Button>}
        />
        {openedId !== undefined && <WithdrawalPanel id={openedId} closeTo={{ search: closing.toString() }} />}
      </Columns>
    </>
  );
}
