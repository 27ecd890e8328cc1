import { Box, Center, Group, Stack, Text, Title } from '@mantine/core';
import { IconChartCandle, IconScale, IconUsers } from '@tabler/icons-react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';

const costsUnder = (terms: FeePlanTerms | undefined) =>
  [
    ['Account, deposits', 'No fee'],
    ['Trade fee', terms ? `${percentWords(terms.trade_fee_bps)} of the amount, when a trade opens` : '–'],
    ['Performance fee', terms ? `${percentWords(terms.performance_fee_bps)} of a gain; nothing on a loss` : '–'],
  ] as const;

const facts = [
  [
    IconChartCandle,
    'Trades settle at the market price',
    'The result is a gain or a loss. You can lose what you put into a trade, never more.',
  ],
  [
    IconUsers,
    'Team income is a share of fees',
    'It is paid only from trading fees that were collected before. No fees, no income.',
  ],
  [
    IconScale,
    'Every dollar is booked twice',
    'Each movement has an account it came from and one it went to, and you see all of yours.',
  ],
] as const;

/** What an account costs, beside the sign-up form. */
export function CostPane() {
  const costs = costsUnder(useCurrentTerms());
  return (
    <>
      <Title order={2} fz="xl" lh="28px" lts="-0.015em">
        What it costs
      </Title>
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
