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
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import type { WalletSummary } from '#contract/trading/portfolio.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Column, Columns } from '../../ui/frame/columns.tsx';
import { LinkList } from '../../ui/frame/link-list.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { Quiet } from '../../ui/text/words.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useRealNow } from '../../ui/use-real-now.ts';
import { LastMovements } from './last-movements.tsx';
import { type Wallets, walletQuery, walletSummaryQuery } from './queries.ts';

/** The Assets hub: what there is, what is on its way, where to go from here, and what moved last. */
export function AssetsPage() {
  const wallets = useQuery(walletQuery);
  const summary = useQuery(walletSummaryQuery);
  const failed = wallets.isError || summary.isError;
  // On a phone the ways on stand before the long list.
  const narrow = useNarrow();

  return (
    <>
      <PageHead title="Assets" facts="Your two wallets, and what is on its way to them and out of them">
        <Button component={Link} to={paths.deposit} variant="default">
          Deposit
        </Button>
        <Button component={Link} to={paths.withdrawal} variant="default">
          Withdraw
        </Button>
        <Button component={Link} to={tradeSearch()} leftSection={<IconChartCandle size={16} stroke={1.5} />}>
          Trade
        </Button>
      </PageHead>
      {failed && (
        <Banner
          icon={<IconAlertTriangle size={20} stroke={1.5} />}
          title="Your balances could not be loaded"
          action={
            <Button
              variant="default"
              onClick={() => {
                void wallets.refetch();
                void summary.refetch();
              }}
            >
              Try again
            </Button>
          }
        >
          Your money is not affected. What is not known is shown as a dash.
        </Banner>
      )}
      <Present sums={summary.data} wallets={wallets.data} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={{ base: 'sm', sm: 'md' }}>
        <WalletCard title="Primary Wallet" note="Deposits arrive here." wallet={wallets.data?.primary} />
        <WalletCard
          title="Profit Wallet"
          note="Gains above a trade’s amount arrive here."
          wallet={wallets.data?.profit}
        />
      </SimpleGrid>
      <AddressLine address={wallets.data?.address} />
      <Columns>
        {narrow && <Shortcuts />}
        <LastMovements query={wallets} />
        <Column pairs>
          {!narrow && <Shortcuts />}
          <Panel title="Over the life of the account">
            <KeyValues rule items={lifeSums(summary.data)} />
          </Panel>
        </Column>
      </Columns>
    </>
  );
}

/** What there is now: all of it, and the parts that are in no wallet. */
function Present({ sums, wallets }: { sums: WalletSummary | undefined; wallets: Wallets | undefined }) {
  return (
    <FigureStrip>
      {/* Where the strip wraps, the large figure takes a line of its own. */}
      <Box style={{ flexBasis: '100%' }}>
        <Figure label="Net worth" size="xl" foot="wallets, trades and plans as of now">
          <Money value={sums?.net_worth} />
        </Figure>
      </Box>
      <Figure label="Invested" foot={<TextLink to={paths.plans}>in your plans</TextLink>}>
        <Money value={sums?.invested} />
      </Figure>
      <Figure
        label="On the way in"
        foot={<OnTheWay count={wallets?.arriving.count} noun="deposit" to={paths.depositHistory} />}
      >
        <Money value={wallets?.arriving.amount} />
      </Figure>
      <Figure
        label="On the way out"
        foot={<OnTheWay count={wallets?.leaving.count} noun="withdrawal" to={paths.withdrawalHistory} />}
      >
        <Money value={wallets?.leaving.amount} />
      </Figure>
    </FigureStrip>
  );
}

function OnTheWay({ count, noun, to }: { count: number | undefined; noun: string; to: string }) {
  if (count === undefined) return 'not known';
  if (count === 0) return `no open ${noun}`;
  return <TextLink to={to}>{`${count} open ${count === 1 ? noun : `${noun}s`}`}</TextLink>;
}

const lifeSums = (sums: WalletSummary | undefined) =>
  [
    ['Deposited', <Money key="deposited" value={sums?.deposited} />],
    ['Withdrawn', <Money key="withdrawn" value={sums?.withdrawn} />],
    ['Traded volume', <Money key="volume" value={sums?.traded_volume} />],
    ['Realised result', <SignedMoney key="realised" value={sums?.realised} />],
    ['Fees paid', <Money key="fees" value={sums?.fees_paid} />],
    ['Team incomes and rewards', <Money key="income" value={sums?.income} />],
  ] as const;

type WalletCardProps = { title: string; note: string; wallet: Wallets['primary'] | undefined };

function WalletCard({ title, note, wallet }: WalletCardProps) {
  return (
    <Panel>
      <Figure label={title} size="lg" foot={note}>
        <Money value={wallet?.balance} />
      </Figure>
      <Box mt="sm">
        <KeyValues
          rule
          items={[
            ['In trades', <Money key="in-trades" value={wallet?.in_trade} />],
            ['Held for withdrawal', <Money key="held" value={wallet?.held} />],
          ]}
        />
      </Box>
    </Panel>
  );
}

/** `TKq8…QeAu`: enough to know it again. */
const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`;

/** Where withdrawals go to and whether they can already; undefined while it is not known. */
function AddressLine({ address }: { address: PayoutAddress | null | undefined }) {
  const now = useRealNow();
  const state =
    address === undefined
      ? '–'
      : address === null
        ? 'None yet. It is usable 24 hours after you saved it.'
        : now < Date.parse(address.usable_from)
          ? `Withdrawals to it from ${formatDateTime(address.usable_from)}`
          : 'Ready for withdrawals';
  return (
    <Panel>
      <Group gap="4px 12px" fz="sm">
        <IconWallet size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
        <Title order={2}>Payout address</Title>
        {address && (
          <span>
            {address.network} · <CodeText>{shorten(address.address)}</CodeText>
          </span>
        )}
        <Quiet>{state}</Quiet>
        <Box ml="auto">
          <TextLink to={paths.withdrawal}>{address === null ? 'Save an address' : 'See or change it'}</TextLink>
        </Box>
      </Group>
    </Panel>
  );
}

/** Every page of Fund Management, also those that the sidebar of a wide screen does not list. */
const shortcuts = [
  { to: paths.deposit, label: 'Deposit', Icon: IconDownload },
  { to: paths.depositHistory, label: 'Deposit history', Icon: IconRotateClockwise },
  { to: paths.withdrawal, label: 'Withdrawal', Icon: IconUpload },
  { to: paths.withdrawalHistory, label: 'Withdrawal history', Icon: IconRotateClockwise2 },
  { to: paths.transactionHistory, label: 'Transaction history', Icon: IconArrowsSort },
  { to: paths.statement, label: 'Statement to print', Icon: IconFileText },
  { to: paths.plans, label: 'Investments', Icon: IconRepeat },
  { to: paths.compoundingHistory, label: 'Compounding investment history', Icon: IconHistory },
];

/** What can be done with the money from here. */
const Shortcuts = () => (
  <Panel title="Go to" padded={false}>
    <LinkList links={shortcuts} />
  </Panel>
);
