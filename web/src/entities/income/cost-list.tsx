import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
import { feeLines, hasExchangeFee, ofGain, rateLabel } from './fees.ts';
import { spreadText } from './spreads.ts';

type Item = readonly [label: string, value: ReactNode];

type CostListProps = {
  feeLabel: string;
  amount: number | null;
  terms: FeePlanTerms | undefined;
  spreadBps: number | undefined;
  /** What is left of the amount after the fee, where that is one sum. */
  second?: Item;
  /** Notes below the list. */
  rest: readonly Item[];
};

/** What trading an amount costs, and when each fee applies. */
export const CostList = ({ feeLabel, amount, terms, spreadBps, second, rest }: CostListProps) => (
  <Box pt={10} style={{ borderTop: '1px solid var(--tw-line)' }}>
    <KeyValues
      dense
      items={[
        [
          rateLabel(feeLabel, terms?.trade_fee_bps),
          <Money key="fee" value={feeLines(amount, terms?.trade_fee_bps)?.fee} />,
        ],
        ...(second ? [second] : []),
        ...[
          [t`Spread`, spreadText(spreadBps)] as const,
          ...(hasExchangeFee() ? [[t`Exchange fee`, t`included in both prices`] as const] : []),
          [t`Performance fee`, ofGain(terms?.performance_fee_bps)] as const,
          ...rest,
        ].map(
          ([label, words]): Item => [
            label,
            <Text key={label} span inherit c="var(--tw-text-2)">
              {words}
            </Text>,
          ],
        ),
      ]}
    />
  </Box>
);
