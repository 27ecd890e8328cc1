import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { BacktestOrderInput } from '#contract/trading/backtest.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { PlaceButton } from '../../entities/trade/place-button.tsx';
import { SplitForm } from '../../entities/trade/split-form.tsx';
import { draftOf, noStops } from '../../entities/trade/stops.ts';
import { defaultParameters } from '../../entities/trade/strategies.ts';
import { StrategyChoice } from '../../entities/trade/strategy-choice.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { AssetPicks } from './asset-picks.tsx';
import { type BacktestDraft, type BacktestField, type BacktestMistake, daysBefore, readOrder } from './read-order.ts';

const lengths = [
  { value: '7', label: t`1 week` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
] as const;

type BacktestFormProps = {
  /** The market's day now: periods end with it. */
  today: string;
  busy: boolean;
  /** What the server said against the last order. */
  error: Error | null;
  onRun: (order: BacktestOrderInput) => void;
};

/** What is played with past prices. No strategy is chosen beforehand: none is the one to take. */
export function BacktestForm({ today, busy, error, onRun }: BacktestFormProps) {
  const [draft, setDraft] = useState<BacktestDraft>(() => ({
    strategy: null,
    parameters: defaultParameters,
    symbols: ['btc'],
    from: daysBefore(today, 29),
    to: today,
    amount: 1000,
    compounding: false,
    stops: draftOf(noStops),
  }));
  const [found, setFound] = useState<BacktestMistake | null>(null);
  const [isChanged, setChanged] = useState(false);
  const reasonId = useId();

  const mistake = found ?? (isChanged ? null : refusalOf(error));
  const isWrong = (field: BacktestField) => mistake?.field === field;
  const describedBy = mistake ? reasonId : undefined;
  /** Any change makes the last complaint out of date. */
  const change = (next: Partial<BacktestDraft>) => {
    setFound(null);
    setChanged(true);
    setDraft((now) => ({ ...now, ...next }));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readOrder(draft);
    setFound('mistake' in read ? read.mistake : null);
    if ('mistake' in read) return toast.error(read.mistake.message);
    setChanged(false);
    onRun(read.order);
  };

  return (
    <SplitForm
      onSubmit={submit}
      left={
        <>
          <StrategyChoice
            value={draft.strategy}
            draft={draft.parameters}
            mistakes={mistake?.parameters ?? {}}
            invalid={isWrong('strategy') || isWrong('params')}
            describedBy={describedBy}
            onChange={(strategy) => change({ strategy })}
            onParameter={(parameter, value) => change({ parameters: { ...draft.parameters, [parameter]: value } })}
          />
          <AssetPicks
            value={draft.symbols}
            invalid={isWrong('symbols')}
            describedBy={describedBy}
            onChange={(symbols) => change({ symbols })}
          />
        </>
      }
      right={
        <>
          <SimpleGrid cols={2} spacing="sm">
            <TextInput
              type="date"
              label={t`First session`}
              max={today}
              value={draft.from}
              onChange={(event) => change({ from: event.currentTarget.value })}
              error={isWrong('from')}
            />
            <TextInput
              type="date"
              label={t`Last session`}
              max={today}
              value={draft.to}
              onChange={(event) => change({ to: event.currentTarget.value })}
              error={isWrong('to')}
            />
          </SimpleGrid>
          <Segments
            label={t`Period`}
            options={lengths}
            value={lengthOf(draft, today)}
            onChange={(days) => change({ from: daysBefore(today, Number(days) - 1), to: today })}
            fullWidth
          />
          <NumberInput
            label={t`Amount`}
            description={draft.symbols.length > 1 ? t`Split equally among ${draft.symbols.length} assets.` : undefined}
            leftSection="$"
            thousandSeparator=","
            allowNegative={false}
            clampBehavior="none"
            decimalScale={6}
            inputMode="decimal"
            autoComplete="off"
            value={draft.amount ?? ''}
            onChange={(value) => change({ amount: typeof value === 'number' ? value : null })}
            error={isWrong('amount')}
          />
          <Checkbox
            label={t`Reinvest gains (compounding)`}
            checked={draft.compounding}
            onChange={(event) => change({ compounding: event.currentTarget.checked })}
          />
          <FoldedStops
            symbol={null}
            draft={draft.stops}
            mistakes={mistake?.stops ?? {}}
            onChange={(kind, value) => change({ stops: { ...draft.stops, [kind]: value } })}
          />
        </>
      }
      foot={
        <PlaceButton
          reason={mistake?.message}
          reasonId={reasonId}
          isWrong
          busy={busy}
          busyLabel={t`Running`}
        >{t`Run backtest`}</PlaceButton>
      }
    />
  );
}

/** The length that is in force, so that the row shows it; none when the days were typed. */
function lengthOf({ from, to }: BacktestDraft, today: string): (typeof lengths)[number]['value'] {
  const found = lengths.find(({ value }) => to === today && from === daysBefore(today, Number(value) - 1));
  return (found?.value ?? '') as (typeof lengths)[number]['value'];
}

/** The words were already shown as a toast; here they stay beside the field. */
function refusalOf(error: Error | null): BacktestMistake | null {
  if (!(error instanceof CallError)) return null;
  const [field] = Object.keys(error.fields);
  return { field: field as BacktestField | undefined, message: error.message };
}
