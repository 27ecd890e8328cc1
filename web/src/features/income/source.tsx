import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { accountName } from '../../entities/trade/account-names.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { paths } from '../../ui/paths.ts';
import { type ListQuery, LoadingRows, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { CodeText, TextLink } from '../../ui/text/text.tsx';
import { coverageText } from './income-page.tsx';
import classes from './source.module.css';

type SourceProps<T> = {
  /** The query for the line's details, which arrive in one reply. */
  query: ListQuery;
  data: T | undefined;
  children: (data: T) => ReactNode;
};

/** The content of an expanded line, in its states: sections side by side once loaded. */
export function Source<T>({ query, data, children }: SourceProps<T>) {
  const late = useLate(data === undefined && !query.isError);
  if (data !== undefined) return <div className={classes.source}>{children(data)}</div>;
  if (query.isError) return <TableError isList={false} query={query} />;
  return (
    <Stack component="ul" gap="md" mih={200} p={20} aria-busy="true" aria-label={t`Loading`}>
      {late && <LoadingRows />}
    </Stack>
  );
}

export const SourceSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h3>{title}</h3>
    {children}
  </section>
);

export const MemberName = ({ member }: { member: { name: string; referral_code: string } }) => (
  <>
    {member.name}{' '}
    <Text span c="dimmed" fz="xs">
      <CodeText>{member.referral_code}</CodeText>
    </Text>
  </>
);

export type Step = { title: string; value?: ReactNode; note?: ReactNode };

/** How a number is derived, step by step; the last step is the number itself. */
export const Steps = ({ steps, foot }: { steps: readonly Step[]; foot: string }) => (
  <SourceSection title={t`Calculation`}>
    <ol className={classes.steps}>
      {steps.map(({ title, value, note }) => (
        <li key={title}>
          <span>{title}</span>
          <span>{value}</span>
          {note && <small>{note}</small>}
        </li>
      ))}
    </ol>
    <Note mt={12}>{foot}</Note>
  </SourceSection>
);

type Paid = { paid: number; held: boolean; created_at: string; coverage: number | null };

/** The last step: nothing, held, or paid. */
export const paidStep = ({ paid, held, created_at, coverage }: Paid): Step => ({
  title: paid === 0 ? t`No payment` : held ? t`Held` : t`Paid into your Profit Wallet`,
  value: <Money value={paid} />,
  note:
    paid === 0
      ? undefined
      : held
        ? t`Not paid yet: a reconciliation is running. This amount is paid once it has passed.`
        : coverage === null
          ? t`Market time ${formatDateTime(created_at)}`
          : t`Market time ${formatDateTime(created_at)}, coverage ${coverageText(coverage)}`,
});

type TransferListProps = {
  transfers: DataOf<typeof income.explainWeek>['transfers'];
  isHeld?: boolean;
  note?: string | undefined;
};

/** The ledger transfers that paid it, as in the statement. */
export const TransferList = ({ transfers, isHeld = false, note }: TransferListProps) => (
  <SourceSection title={t`Ledger transfers`}>
    {transfers.length === 0 ? (
      <Note mt={12}>
        {isHeld ? t`Held: no transfer has been made yet.` : t`Nothing was paid, so there is no transfer.`}
      </Note>
    ) : (
      <ul className={classes.transfers} aria-label={t`Ledger transfers`}>
        {transfers.map((transfer) => (
          <li key={transfer.id}>
            <span>
              {accountName(transfer.from)} → {accountName(transfer.to)}
              <small>
                {formatDateTime(transfer.created_at)},{' '}
                <TextLink
                  to={`${paths.transactionHistory}?kind=${transfer.reason}`}
                >{t`transfer ${transfer.id}`}</TextLink>
              </small>
            </span>
            <Money value={transfer.amount} />
          </li>
        ))}
      </ul>
    )}
    {note && <Note mt={12}>{note}</Note>}
  </SourceSection>
);
