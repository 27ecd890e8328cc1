import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { paths } from '../../../ui/paths.ts';
import { StateBadge, stateOptions } from '../../../ui/state/state-badge.tsx';
import { column, rightColumn } from '../../../ui/table/columns.tsx';
import { type Column, MobileRow } from '../../../ui/table/data-table.tsx';
import { openColumn, StateList } from '../../../ui/table/state-list.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText, Quiet, When } from '../../../ui/text/text.tsx';
import { depositsQuery, downloadDeposits } from '../queries.ts';
import { depositNote, missingText } from './deposit-labels.ts';
import { SandboxLabel } from './deposit-state.tsx';

const states = stateOptions('deposit');

const linkTo = (deposit: Deposit) => `${paths.deposit}?deposit=${deposit.id}`;

const columns: readonly Column<Deposit>[] = [
  column(t`Created, UTC`, (row) => <When at={row.created_at} />),
  column(t`Reference`, (row) => (
    <Quiet>
      <CodeText>{row.reference}</CodeText>
    </Quiet>
  )),
  rightColumn(t`Requested`, (row) => <Money value={row.amount} decimals="typed" />),
  rightColumn(t`Credited`, (row) => <Money value={row.credited} />),
  column(t`State`, (row) => <StateBadge of="deposit" state={row.state} />),
  column(t`Note`, (row) => <Quiet>{depositNote(row)}</Quiet>),
  openColumn((row) => t`Deposit ${row.reference}`, linkTo),
];

function RowOnMobile({ row }: { row: Deposit }) {
  return (
    <MobileRow to={linkTo(row)}>
      <span>
        <Money value={row.amount} decimals="typed" />
        <StateBadge of="deposit" state={row.state} />
      </span>
      <span>
        <small>{formatDateTime(row.created_at)}</small>
        <small>
          {row.credited !== null && row.credited !== row.amount
            ? t`Credited ${formatMoney(row.credited)}`
            : (missingText(row) ?? <CodeText>{row.reference}</CodeText>)}
        </small>
      </span>
    </MobileRow>
  );
}

type DepositHistoryProps = {
  /** The deposit shown above the list. */
  selectedId?: string | undefined;
  /** The next step while there are no deposits, where the page does not show it anyway. */
  emptyAction?: ReactNode;
};

export const DepositHistory = ({ selectedId, emptyAction }: DepositHistoryProps) => (
  <StateList
    title={t`Deposit history`}
    states={states}
    queryOf={depositsQuery}
    columns={columns}
    selected={selectedId}
    mobileRow={(row) => <RowOnMobile row={row} />}
    hidden={(state) => ({
      title: t`No deposits with state “${state}”`,
      text: t`Deposits with other states are hidden by the filter.`,
    })}
    file={{ name: 'deposits', read: downloadDeposits }}
    empty={{
      icon: IconDownload,
      title: t`No deposits yet`,
      text: t`Your deposits are listed here, from the invoice to the credit.`,
      action: emptyAction,
    }}
  />
);

export function DepositHistoryPage() {
  return (
    <>
      <PageHead title={t`Deposit history`} facts={t`All your deposits and their states.`}>
        <SandboxLabel />
        <Button component={Link} to={paths.deposit}>{t`Deposit`}</Button>
      </PageHead>
      <DepositHistory
        emptyAction={<Button component={Link} to={paths.deposit} variant="default">{t`Deposit`}</Button>}
      />
    </>
  );
}
