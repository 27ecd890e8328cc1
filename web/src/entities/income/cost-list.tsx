import { Box, Text } from '@mantine/core';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { type KeyValue, KeyValues } from '../../ui/table/key-values.tsx';
import { Money } from '../../ui/text/money.tsx';
import { feeLines, hasExchangeFee, ofGain, rateLabel } from './fees.ts';
import { spreadText } from './spreads.ts';

type CostListProps = {
  feeLabel: string;
  amount: number | null;
  terms: FeePlanTerms | undefined;
  spreadBps: number | undefined;
  /** What is left of the amount after the fee, where that is one sum. */
  second?: KeyValue;
  /** Notes below the list. */
  rest: readonly KeyValue[];
};

/** What trading an amount costs, and when each fee applies. */
export function CostList({ feeLabel, amount, terms, spreadBps, second, rest }: CostListProps) {
  const notes: readonly KeyValue[] = [
    [t`Spread`, spreadText(spreadBps)],
    hasExchangeFee() && [t`Exchange fee`, t`included in both prices`],
    [t`Performance fee`, ofGain(terms?.performance_fee_bps)],
    ...rest,
  ];
  return (
    <Box pt={10} style={{ borderTop: '1px solid var(--tw-line)' }}>
      <KeyValues
        dense
        items={[
          [
            rateLabel(feeLabel, terms?.trade_fee_bps),
            <Money key="fee" value={feeLines(amount, terms?.trade_fee_bps)?.fee} />,
          ],
          second,
          ...notes.map(
            (note): KeyValue =>
              note && [
                note[0],
                <Text key={note[0]} span inherit c="var(--tw-text-2)">
                  {note[1]}
                </Text>,
              ],
          ),
        ]}
      />
    </Box>
  );
}
