import { Box, Center, Group, Stack, Text, Title } from '@mantine/core';
import { IconChartCandle, IconScale, IconUsers } from '@tabler/icons-react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';

const costsUnder = (terms: FeePlanTerms | undefined) =>
  [
    [t`Account and deposits`, t`Free`],
    [t`Trade fee`, terms ? t`${percentWords(terms.trade_fee_bps)} of the amount when a trade opens` : '–'],
    [
      t`Performance fee`,
      terms ? t`${percentWords(terms.performance_fee_bps)} of a trade’s gain. No gain, no performance fee.` : '–',
    ],
  ] as const;

const facts = [
  [
    IconChartCandle,
    t`Trades settle at the market price`,
    t`A trade ends in a gain or a loss. You can lose the whole amount of a trade, but no more.`,
  ],
  [
    IconUsers,
    t`Team income comes from fees`,
    t`It is paid only from trading fees already collected. Without fees there is no team income.`,
  ],
  [
    IconScale,
    t`Double-entry ledger`,
    t`Every transaction debits one account and credits another. You see all of yours.`,
  ],
] as const;

export function CostPane() {
  const costs = costsUnder(useCurrentTerms());
  return (
    <>
      <Title order={2} fz="xl" lh="28px" lts="-0.015em">{t`Fees`}</Title>
      <dl>
        {costs.map(([what, cost], index) => (
          <Group
            key={what}
            align="flex-start"
            wrap="nowrap"
            gap={0}
            py={13}
            mt={index === 0 ? 'md' : 0}
            style={index > 0 ? { borderTop: '1px solid var(--tw-line)' } : {}}
          >
            <Text component="dt" fw={500} w="40%" flex="none">
              {what}
            </Text>
            <Text component="dd" c="var(--tw-text-2)">
              {cost}
            </Text>
          </Group>
        ))}
      </dl>
      <Stack component="ul" gap={22} mt={40}>
        {facts.map(([Icon, title, text]) => (
          <Group key={title} component="li" align="flex-start" wrap="nowrap">
            <Center w={36} h={36} flex="none" bdrs="md" bd="1px solid var(--tw-line-strong)" c="var(--tw-accent)">
              <Icon size={20} stroke={1.5} aria-hidden />
            </Center>
            <Box>
              <Text component="b" display="block" fw={600}>
                {title}
              </Text>
              <Text c="var(--tw-text-2)">{text}</Text>
            </Box>
          </Group>
        ))}
      </Stack>
    </>
  );
}
