import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { walletQuery } from '../../features/funds/queries.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Money } from '../../ui/text/money.tsx';

/** The two wallets above each page of a mobile screen, except on `/fund` (the specification, point 2). */
export function WalletCards() {
  const { data } = useQuery(walletQuery);
  return (
    <SimpleGrid component="section" aria-label={t`Wallets`} cols={2} spacing="xs" px="md" pt="xs">
      {(['primary', 'profit'] as const).map((wallet) => (
        <Paper key={wallet} px={12} py={6} miw={0} fz="xs" lh="16px" c="dimmed">
          {wallet === 'primary' ? t`Primary Wallet` : t`Profit Wallet`}
          <Text fz="md" fw={600} lh="20px" c="var(--tw-text)">
            <Money value={data?.[wallet].balance} />
          </Text>
          <div>{t`${formatMoney(data?.[wallet].in_trade, 'typed')} in trades`}</div>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
