import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { Deposit } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { useRefreshOnChange } from '../../../api/trading-queries.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { paths } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { StatusSteps } from '../../../ui/state/status-steps.tsx';
import { useLate } from '../../../ui/table/data-table-states.tsx';
import { ItemError } from '../../../ui/table/item-error.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { depositQuery, latestDepositQuery } from '../queries.ts';
import { depositSteps, isFinal } from './deposit-labels.ts';
import { DepositState, SandboxLabel, uncreditedRows } from './deposit-state.tsx';

/**
 * The gateway sends a member here after paying. The address says success, pending, failed or cancelled, but anybody can
 * type it, so it is ignored: the page shows what the server knows (docs/product.md, section 4).
 */
export function PaymentPage() {
  const [search] = useSearchParams();
  const id = search.get('deposit');
  const named = useQuery({ ...depositQuery(id ?? ''), enabled: id !== null });
  const latest = useQuery({ ...latestDepositQuery, enabled: id === null });
  const query: UseQueryResult<Deposit | null> = id === null ? latest : named;
  const deposit = query.data ?? undefined;
  const late = useLate(query.isPending);
  useRefreshOnChange(deposit);

  return (
    <>
      <PageHead title={t`Payment`} facts={t`The state of your payment as reported by the payment gateway.`}>
        <SandboxLabel />
      </PageHead>
      <Box w="100%" maw={720}>
        <Panel padded={deposit !== undefined || query.isPending}>
          {deposit && <Known deposit={deposit} />}
          {late && <Text c="dimmed">{t`Loading the deposit…`}</Text>}
          {query.isError && deposit === undefined && (
            <ItemError query={query} noun="deposit" list={paths.depositHistory} />
          )}
          {query.data === null && (
            <ListState
              icon={IconDownload}
              title={t`No deposits yet`}
              action={<Button component={Link} to={paths.deposit}>{t`Deposit`}</Button>}
            >{t`When you start a deposit, its payment is shown here.`}</ListState>
          )}
        </Panel>
      </Box>
    </>
  );
}

function Known({ deposit }: { deposit: Deposit }) {
  return (
    <Stack gap={20}>
      <Group align="flex-start" justify="space-between" gap="8px 16px">
        <DepositState deposit={deposit} />
        <StateBadge of="deposit" state={deposit.state} />
      </Group>
      <StatusSteps across label={t`Steps of this deposit`} steps={depositSteps(deposit)} />
      <KeyValues
        rule
        items={[
          [t`Reference`, <CodeText key="reference">{deposit.reference}</CodeText>],
          [t`Requested`, <Money key="asked" value={deposit.amount} decimals="typed" />],
          [t`Credited`, <Money key="credited" value={deposit.credited} />],
          ...uncreditedRows(deposit),
          [t`Started`, formatDateTime(deposit.created_at)],
          [t`Last updated`, formatDateTime(deposit.updated_at)],
        ]}
      />
      <Group gap="xs">
        {isFinal(deposit.state) && deposit.state !== 'credited' ? (
          <Button component={Link} to={paths.deposit}>{t`Start another deposit`}</Button>
        ) : (
          <Button
            component={Link}
            to={deposit.state === 'credited' ? paths.fund : `${paths.deposit}?deposit=${deposit.id}`}
          >
            {deposit.state === 'credited' ? t`View assets` : t`Open deposit`}
          </Button>
        )}
        <Button component={Link} to={paths.depositHistory} variant="default">{t`Deposit history`}</Button>
      </Group>
    </Stack>
  );
}
