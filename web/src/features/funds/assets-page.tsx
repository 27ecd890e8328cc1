import { Button } from '@mantine/core';
import { IconAlertTriangle, IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths, tradeSearch } from '../../shared/paths.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { Figure, FigureStrip } from '../../shared/ui/figure.tsx';
import { KeyValues } from '../../shared/ui/key-values.tsx';
import { Money, SignedMoney } from '../../shared/ui/money.tsx';
import { PageHead } from '../../shared/ui/page-head.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import classes from './assets-page.module.css';
import { AssetsShortcuts } from './assets-shortcuts.tsx';
import { LastMovements } from './last-movements.tsx';
import { walletQuery, walletSummaryQuery } from './queries.ts';

/** The Assets hub: both wallets, the sums over the life of the account, and what moved last. */
export function AssetsPage() {
  const wallets = useQuery(walletQuery);
  const summary = useQuery(walletSummaryQuery);
  const sums = summary.data;
  const failed = wallets.isError || summary.isError;

  return (
    <>
      <PageHead title="Assets" facts="Your two wallets and what moved last">
        <Button component={Link} to={paths.deposit} variant="default">
          Deposit
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
      <FigureStrip>
        <div className={classes.worth}>
          <Figure label="Net worth" size="xl" foot="wallets and trades, open results included">
            <Money value={sums?.net_worth} />
          </Figure>
        </div>
        <Figure label="Deposited" foot="credited in all">
          <Money value={sums?.deposited} />
        </Figure>
        <Figure label="Realised result" foot="of all settled trades">
          <SignedMoney value={sums?.realised} arrow />
        </Figure>
        <Figure label="Fees paid" foot="trade and performance fees">
          <Money value={sums?.fees_paid} />
        </Figure>
      </FigureStrip>
      <div className={classes.wallets}>
        <WalletCard title="Primary Wallet" note="Deposits arrive here." wallet={wallets.data?.primary} />
        <WalletCard
          title="Profit Wallet"
          note="Gains above a trade’s amount arrive here."
          wallet={wallets.data?.profit}
        />
      </div>
      <div className={classes.columns}>
        <LastMovements query={wallets} />
        <div className={classes.aside}>
          <AssetsShortcuts />
          <Panel title="Over the life of the account">
            <KeyValues rule items={lifeSums(sums)} />
          </Panel>
        </div>
      </div>
    </>
  );
}

type Sums = {
  traded_volume: number;
  in_trades: number;
  invested: number;
  on_hold: number;
  withdrawn: number;
  income: number;
};

/** Volume and what is in trades always; the other sums only once there is something in them. */
function lifeSums(sums: Sums | undefined) {
  const row = (label: string, value: number | undefined) => [label, <Money key={label} value={value} />] as const;
  const onceThere = (label: string, value: number | undefined) => (value ? [row(label, value)] : []);
  return [
    row('Traded volume', sums?.traded_volume),
    row('In trades now', sums?.in_trades),
    ...onceThere('In plans', sums?.invested),
    ...onceThere('On hold', sums?.on_hold),
    ...onceThere('Withdrawn', sums?.withdrawn),
    ...onceThere('Income', sums?.income),
  ];
}

type WalletCardProps = {
  title: string;
  note: string;
  wallet: { balance: number; held: number; in_trade: number } | undefined;
};

function WalletCard({ title, note, wallet }: WalletCardProps) {
  return (
    <Panel>
      <Figure label={title} size="lg" foot={note}>
        <Money value={wallet?.balance} />
      </Figure>
      <div className={classes.parts}>
        <KeyValues
          rule
          items={[
            ['In trades', <Money key="in-trades" value={wallet?.in_trade} decimals="typed" />],
            ['Held', <Money key="held" value={wallet?.held} />],
          ]}
        />
      </div>
    </Panel>
  );
}
