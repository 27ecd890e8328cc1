import { Box, Flex, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import type { Portfolio } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import classes from './net-worth-panel.module.css';

type NetWorthPanelProps = {
  portfolio: Portfolio | undefined;
  wallets: DataOf<typeof funds.getWallet> | undefined;
  /** Chooses the period. */
  control: ReactNode;
  /** The equity chart of the chosen period. */
  children: ReactNode;
};

/** The one large figure of the page, how it changed, and its components. */
export function NetWorthPanel({ portfolio, wallets, control, children }: NetWorthPanelProps) {
  const since = portfolio && sinceLastSession(portfolio.equity);
  return (
    <Paper component="section" aria-label={t`Net worth`} miw={0}>
      <Flex
        direction={{ base: 'column', sm: 'row' }}
        align={{ base: 'stretch', sm: 'flex-start' }}
        justify="space-between"
        gap={{ base: 'sm', sm: 'md' }}
        p={{ base: 'md', sm: 20 }}
        pb={0}
      >
        <Figure
          label={t`Net worth`}
          size="xl"
          foot={
            since ? (
              <Text span size="sm" c="var(--tw-text)">
                <SignedMoney value={since.result} arrow />
                {since.percent !== null && (
                  <>
                    {' '}
                    (<Percent value={since.percent} signed />)
                  </>
                )}{' '}
                {t`since the last session`}
              </Text>
            ) : (
              t`Wallets, trades, plans and funds on hold`
            )
          }
        >
          <Money value={portfolio?.net_worth} />
        </Figure>
        {control}
      </Flex>
      <Box px={{ base: 'md', sm: 20 }} pt={{ base: 'md', sm: 'lg' }} pb={{ base: 'md', sm: 20 }}>
        {children}
        {portfolio && wallets && <Parts portfolio={portfolio} wallets={wallets} />}
      </Box>
    </Paper>
  );
}

function Parts({ portfolio, wallets }: { portfolio: Portfolio; wallets: DataOf<typeof funds.getWallet> }) {
  const parts = worthParts(portfolio.net_worth, wallets, portfolio.in_plans);
  const summary = parts.map(({ label, value }) => `${label} ${formatMoney(value)}`).join(', ');
  return (
    <>
      <Flex gap={2} h={8} mt="md" role="img" aria-label={t`Net worth is made of: ${summary}`}>
        {parts
          .filter(({ value }) => value > 0)
          .map(({ label, value, series }) => (
            <Box key={label} bg={colorOf(series)} bdrs={2} miw={3} flex={`${value} 1 0`} />
          ))}
      </Flex>
      <ul className={classes.parts}>
        {parts.map(({ label, value, series }) => (
          <li key={label}>
            <Group
              component="span"
              gap={6}
              fz={{ base: 'sm', sm: 'xs' }}
              c={{ base: 'var(--tw-text-2)', sm: 'dimmed' }}
            >
              <Box component="i" bg={colorOf(series)} bdrs={2} w={8} h={8} />
              {label}
            </Group>
            <Text component="b" inherit fw={500} c={value === 0 ? 'dimmed' : undefined}>
              <Money value={value} />
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

const colorOf = (series: number) => `var(--tw-s${series})`;

type Equity = readonly Pick<Portfolio['equity'][number], 'value' | 'put_in'>[];

/**
 * The result since the last session ended, without deposits and withdrawals since then, in dollars and in percent of
 * the net worth then. Null while there is no earlier point.
 * 9 600 then and 9 700 now after a deposit of 80 is a result of 20.
 */
export function sinceLastSession(equity: Equity): { result: number; percent: number | null } | null {
  const [before, now] = equity.slice(-2);
  if (before === undefined || now === undefined) return null;
  const result = now.value - now.put_in - (before.value - before.put_in);
  return { result, percent: before.value > 0 ? (result / before.value) * 100 : null };
}

type WorthPart = { readonly label: string; readonly value: number; readonly series: number };
type Wallet = { balance: number; held: number; in_trade: number };

/**
 * The components of the net worth. Trades, open and queued, are the remainder after wallets, plans and holds, so that
 * the components always add up to the total. Components the member never had are omitted; the two wallets are always
 * listed.
 */
export function worthParts(
  netWorth: number,
  wallets: { primary: Wallet; profit: Wallet },
  inPlans: number,
): WorthPart[] {
  const held = wallets.primary.held + wallets.profit.held;
  const inTrades = Math.max(0, netWorth - wallets.primary.balance - wallets.profit.balance - inPlans - held);
  const placed = wallets.primary.in_trade + wallets.profit.in_trade;
  return [
    { label: t`Primary wallet`, value: wallets.primary.balance, series: 1 },
    { label: t`Profit wallet`, value: wallets.profit.balance, series: 2 },
    ...(placed > 0 ? [{ label: t`Value of trades`, value: inTrades, series: 3 }] : []),
    ...(inPlans > 0 ? [{ label: t`Value of plans`, value: inPlans, series: 4 }] : []),
    ...(held > 0 ? [{ label: t`On hold`, value: held, series: 5 }] : []),
  ];
}
