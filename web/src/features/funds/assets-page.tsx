import { Box, Button, Group, SimpleGrid, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowsSort,
  IconChartCandle,
  IconDownload,
  IconFileText,
  IconHistory,
  IconRepeat,
  IconRotateClockwise,
  IconRotateClockwise2,
  IconUpload,
  IconWallet,
} from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import type { WalletSummary } from '#contract/trading/portfolio.ts';
import { plural, t } from '../../api/texts.ts';
import { sumDollars } from '../../ui/format/number.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { LinkList } from '../../ui/layout/link-list.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { MobileRow } from '../../ui/table/data-table.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { CodeText, Quiet, shorten, TextLink, When } from '../../ui/text/text.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useRealNow } from '../../ui/use-real-now.ts';
import { type Wallets, walletQuery, walletSummaryQuery } from './queries.ts';
import { kindLabel, walletLabel } from './statement/labels.ts';

/** Balances, pending payments, recent transactions, and links to every page of Fund Management. */
export function AssetsPage() {
  const wallets = useQuery(walletQuery);
  const summary = useQuery(walletSummaryQuery);
  const failed = wallets.isError || summary.isError;
  // On a phone the links come before the long list.
  const narrow = useNarrow();

  return (
    <>
      <PageHead title={t`Assets`} facts={t`Your two wallets, with pending deposits and withdrawals.`}>
        <Button component={Link} to={paths.deposit} variant="default">{t`Deposit`}</Button>
        <Button component={Link} to={paths.withdrawal} variant="default">{t`Withdraw`}</Button>
        <Button
          component={Link}
          to={tradeSearch()}
          leftSection={<IconChartCandle size={16} stroke={1.5} aria-hidden />}
        >{t`Trade`}</Button>
      </PageHead>
      {failed && (
        <Banner
          icon={IconAlertTriangle}
          title={t`Your balances could not be loaded`}
          action={
            <Button
              variant="default"
              onClick={() => {
                void wallets.refetch();
                void summary.refetch();
              }}
            >{t`Try again`}</Button>
          }
        >{t`Your money is not affected. Figures that could not be loaded are shown as a dash.`}</Banner>
      )}
      <Present totals={summary.data} wallets={wallets.data} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={{ base: 'sm', sm: 'md' }}>
        <WalletCard title={t`Primary Wallet`} note={t`Deposits arrive here.`} wallet={wallets.data?.primary} />
        <WalletCard
          title={t`Profit Wallet`}
          note={t`Gains above the amount of a trade arrive here.`}
          wallet={wallets.data?.profit}
        />
      </SimpleGrid>
      <AddressLine address={wallets.data?.address} />
      <Columns>
        {narrow && <Shortcuts />}
        <LastMovements query={wallets} />
        <Column pairs>
          {!narrow && <Shortcuts />}
          <Panel title={t`Lifetime totals`}>
            <KeyValues rule items={lifetimeTotals(summary.data)} />
          </Panel>
        </Column>
      </Columns>
    </>
  );
}

/** Net worth, and its components outside the wallets. */
function Present({ totals, wallets }: { totals: WalletSummary | undefined; wallets: Wallets | undefined }) {
  return (
    <FigureStrip>
      {/* Where the strip wraps, the large figure takes a line of its own. */}
      <Box style={{ flexBasis: '100%' }}>
        <Figure label={t`Net worth`} size="xl" foot={t`Wallets, trades, plans and funds on hold`}>
          <Money value={totals?.net_worth} />
        </Figure>
      </Box>
      <Figure label={t`Plans at cost`} foot={<TextLink to={paths.plans}>{t`View your plans`}</TextLink>}>
        <Money value={totals && wallets && inPlans(totals, wallets)} />
      </Figure>
      <Figure
        label={t`Pending deposits`}
        foot={
          <Pending
            to={paths.depositHistory}
            words={wallets && plural(wallets.arriving.count, { one: '# deposit', other: '# deposits' })}
          />
        }
      >
        <Money value={wallets?.arriving.amount} />
      </Figure>
      <Figure
        label={t`Pending withdrawals`}
        foot={
          <Pending
            to={paths.withdrawalHistory}
            words={wallets && plural(wallets.leaving.count, { one: '# withdrawal', other: '# withdrawals' })}
          />
        }
      >
        <Money value={wallets?.leaving.amount} />
      </Figure>
    </FigureStrip>
  );
}

/** The balance of plans and what they have in trades: everything in trades except what came from a wallet. */
const inPlans = (totals: WalletSummary, { primary, profit }: Wallets): number =>
  Math.max(0, sumDollars([totals.invested, totals.in_trades, -primary.in_trade, -profit.in_trade]));

function Pending({ words, to }: { words: string | undefined; to: string }) {
  return words === undefined ? '–' : <TextLink to={to}>{words}</TextLink>;
}

const lifetimeTotals = (totals: WalletSummary | undefined) =>
  [
    [t`Deposited`, <Money key="deposited" value={totals?.deposited} />],
    [t`Withdrawn`, <Money key="withdrawn" value={totals?.withdrawn} />],
    [t`Traded volume`, <Money key="volume" value={totals?.traded_volume} />],
    [t`Realised P&L`, <SignedMoney key="realised" value={totals?.realised} />],
    [t`Fees paid`, <Money key="fees" value={totals?.fees_paid} />],
    [t`Team incomes and rewards`, <Money key="income" value={totals?.income} />],
  ] as const;

function WalletCard({ title, note, wallet }: { title: string; note: string; wallet: Wallets['primary'] | undefined }) {
  return (
    <Panel>
      <Figure label={title} size="lg" foot={note}>
        <Money value={wallet?.balance} />
      </Figure>
      <Box mt="sm">
        <KeyValues
          rule
          items={[
            [t`Placed in trades, fees included`, <Money key="in-trades" value={wallet?.in_trade} />],
            [t`Held for withdrawal`, <Money key="held" value={wallet?.held} />],
          ]}
        />
      </Box>
    </Panel>
  );
}

/** The payout address and whether it can be used already; undefined while loading. */
function AddressLine({ address }: { address: PayoutAddress | null | undefined }) {
  const now = useRealNow();
  const state =
    address === undefined
      ? '–'
      : address === null
        ? t`None yet. You can withdraw to an address 24 hours after you save it.`
        : now < Date.parse(address.usable_from)
          ? t`Available from ${formatDateTime(address.usable_from)}`
          : t`Ready for withdrawals`;
  return (
    <Panel>
      <Group gap="4px 12px" fz="sm">
        <IconWallet size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
        <Title order={2}>{t`Payout address`}</Title>
        {address && (
          <span>
            {address.network} · <CodeText>{shorten(address.address)}</CodeText>
          </span>
        )}
        <Quiet>{state}</Quiet>
        <Box ml="auto">
          <TextLink to={paths.withdrawal}>{address === null ? t`Add address` : t`Change address`}</TextLink>
        </Box>
      </Group>
    </Panel>
  );
}

/** Every page of Fund Management, including those not in the sidebar of a wide screen. */
const shortcuts = [
  { to: paths.deposit, label: t`Deposit`, Icon: IconDownload },
  { to: paths.depositHistory, label: t`Deposit history`, Icon: IconRotateClockwise },
  { to: paths.withdrawal, label: t`Withdrawal`, Icon: IconUpload },
  { to: paths.withdrawalHistory, label: t`Withdrawal history`, Icon: IconRotateClockwise2 },
  { to: paths.transactionHistory, label: t`Transaction history`, Icon: IconArrowsSort },
  { to: paths.statement, label: t`Print statement`, Icon: IconFileText },
  { to: paths.plans, label: t`Investments`, Icon: IconRepeat },
  { to: paths.compoundingHistory, label: t`Compounding investment history`, Icon: IconHistory },
];

const Shortcuts = () => (
  <Panel title={t`Go to`} padded={false}>
    <LinkList links={shortcuts} />
  </Panel>
);

type LastMovement = Wallets['last_movements'][number];

const movementColumns = [
  column<LastMovement>(t`Time, UTC`, (row) => <When at={row.created_at} />),
  column<LastMovement>(t`Type`, (row) => kindLabel(row.kind)),
  column<LastMovement>(t`Wallet`, (row) => <Quiet>{walletLabel(row.wallet)}</Quiet>),
  rightColumn<LastMovement>(t`Amount`, (row) => <SignedMoney value={row.amount} plain />),
];

/** The newest lines of the statement, with the link to all of them. */
function LastMovements({ query }: { query: UseQueryResult<Wallets> }) {
  return (
    <TablePanel
      title={t`Recent transactions`}
      control={<TextLink to={paths.transactionHistory}>{t`View all`}</TextLink>}
      columns={movementColumns}
      rows={query.data?.last_movements}
      rowKey={(row) => `${row.id} ${row.wallet}`}
      query={query}
      minHeight={276}
      mobileRow={(row) => (
        <MobileRow>
          <span>
            {kindLabel(row.kind)}
            <SignedMoney value={row.amount} plain />
          </span>
          <small>
            {formatDateTime(row.created_at)} · {walletLabel(row.wallet)}
          </small>
        </MobileRow>
      )}
      empty={{
        icon: IconArrowsSort,
        title: t`No transactions yet`,
        text: t`Your first deposit is listed here.`,
        action: <Button component={Link} to={paths.deposit} variant="default">{t`Make a deposit`}</Button>,
      }}
    />
  );
}
