import { Anchor, Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { minimumTradeDollars, symbols } from '#contract/rules.ts';
import type { BacktestOrderInput } from '#contract/trading/backtest.ts';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { FoldedStops } from '../../entities/trade/folded-stops.tsx';
import { PlaceButton } from '../../entities/trade/place-button.tsx';
import { SplitForm } from '../../entities/trade/split-form.tsx';
import {
  draftOf,
  firstErrorText,
  noStops,
  onlySet,
  readStops,
  type StopDraft,
  type StopErrors,
} from '../../entities/trade/stops.ts';
import {
  defaultParameters,
  type ParameterDraft,
  type ParameterErrors,
  readParameters,
} from '../../entities/trade/strategies.ts';
import { StrategyChoice } from '../../entities/trade/strategy-choice.tsx';
import { daysBefore } from '../../ui/format/period.ts';
import choice from '../../ui/forms/choice.module.css';
import { DateField } from '../../ui/forms/date-field.tsx';
import { readAmount } from '../../ui/forms/read-amount.ts';
import { Segments } from '../../ui/forms/segments.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { useKeptState } from '../../ui/table/use-kept-state.ts';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import classes from './backtest.module.css';

const lengths = [
  { value: '7', label: t`1 week` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
] as const;

type BacktestFormProps = {
  /** The current market day, with which periods end. */
  today: string;
  busy: boolean;
  /** The server's error about the last request. */
  error: Error | null;
  onRun: (order: BacktestOrderInput) => void;
};

/** A backtest on past prices. No strategy is preselected, so that none is recommended. */
export function BacktestForm({ today, busy, error, onRun }: BacktestFormProps) {
  const [draft, setDraft] = useKeptState<BacktestDraft>('draft', {
    strategy: null,
    parameters: defaultParameters,
    symbols: ['btc'],
    from: daysBefore(today, 29),
    to: today,
    typed: '1000',
    compounding: false,
    stops: draftOf(noStops),
  });
  const [found, setFound] = useState<BacktestError | null>(null);
  const [isChanged, setChanged] = useState(false);
  const reasonId = useId();

  const formError = found ?? (isChanged ? null : refusalOf(error));
  const isWrong = (field: BacktestField) => formError?.field === field;
  const describedBy = formError ? reasonId : undefined;
  /** Any change makes the last error obsolete. */
  const change = (next: Partial<BacktestDraft>) => {
    setFound(null);
    setChanged(true);
    setDraft((now) => ({ ...now, ...next }));
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readOrder(draft);
    setFound('error' in read ? read.error : null);
    if ('error' in read) return toast.error(read.error.message);
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
            errors={formError?.parameters ?? {}}
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
            <DateField
              label={t`First session`}
              max={today}
              value={draft.from}
              onChange={(from) => change({ from })}
              error={isWrong('from')}
            />
            <DateField
              label={t`Last session`}
              max={today}
              value={draft.to}
              onChange={(to) => change({ to })}
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
          <TextInput
            label={t`Amount`}
            description={draft.symbols.length > 1 ? t`Split equally among ${draft.symbols.length} assets.` : undefined}
            leftSection="$"
            inputMode="decimal"
            autoComplete="off"
            value={draft.typed}
            onChange={(event) => change({ typed: event.currentTarget.value })}
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
            errors={formError?.stops ?? {}}
            onChange={(kind, value) => change({ stops: { ...draft.stops, [kind]: value } })}
          />
        </>
      }
      foot={
        <PlaceButton
          reason={formError?.message}
          reasonId={reasonId}
          isWrong
          busy={busy}
          busyLabel={t`Running`}
        >{t`Run backtest`}</PlaceButton>
      }
    />
  );
}

/** The selected length, for the row to show; none when the days were typed. */
function lengthOf({ from, to }: BacktestDraft, today: string): (typeof lengths)[number]['value'] {
  const found = lengths.find(({ value }) => to === today && from === daysBefore(today, Number(value) - 1));
  return (found?.value ?? '') as (typeof lengths)[number]['value'];
}

/** The message was already shown as a toast; here it stays beside the field. */
function refusalOf(error: Error | null): BacktestError | null {
  if (!(error instanceof CallError)) return null;
  const [field] = Object.keys(error.fields);
  return { field: field as BacktestField | undefined, message: error.message };
}

type AssetPicksProps = {
  value: readonly string[];
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (symbols: string[]) => void;
};

/** One or several assets, kept in the order of the list, however they were chosen. */
function AssetPicks({ value, invalid, describedBy, onChange }: AssetPicksProps) {
  const chosen = new Set(value);
  const areAll = chosen.size === symbols.length;
  const toggle = (symbol: string) => onChange(symbols.filter((other) => chosen.has(other) !== (other === symbol)));
  return (
    <fieldset className={choice.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={choice.head}>
        {t`Assets`}
        <Anchor
          component="button"
          type="button"
          size="xs"
          fw={500}
          lh="1.5rem"
          my={-4}
          onClick={() => onChange(areAll ? [] : [...symbols])}
        >
          {areAll ? t`Clear selection` : t`Select all`}
        </Anchor>
      </legend>
      <div className={`${choice.assets} ${classes.assets}`} data-wrong={invalid || undefined}>
        {symbols.map((symbol) => (
          <label key={symbol} className={`${choice.card} ${classes.asset}`}>
            <input
              type="checkbox"
              className={choice.hidden}
              value={symbol}
              checked={chosen.has(symbol)}
              onChange={() => toggle(symbol)}
            />
            <AssetIcon symbol={symbol} size={24} />
            {symbol}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The form's state. */
export type BacktestDraft = {
  readonly strategy: StrategyName | null;
  readonly parameters: ParameterDraft;
  readonly symbols: readonly string[];
  /** UTC days, `2026-03-04`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The text of the amount field. */
  readonly typed: string;
  readonly compounding: boolean;
  readonly stops: StopDraft;
};

type BacktestField = 'strategy' | 'symbols' | 'from' | 'to' | 'amount' | 'params';
type BacktestError = {
  /** undefined where the fields of a group show it themselves. */
  readonly field?: BacktestField | undefined;
  readonly message: string;
  readonly parameters?: ParameterErrors;
  readonly stops?: StopErrors;
};

/** The contract's limits, repeated because its schema is never sent to a browser; a test compares them. */
export const MAX_DAYS = 400;
export const MAX_DOLLARS = 1_000_000;
const DAY_MS = 86_400_000;

/** Whole days from first to last, both included. */
export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The form as a request, or its first error from top to bottom. */
export function readOrder(draft: BacktestDraft): { order: BacktestOrderInput } | { error: BacktestError } {
  const { strategy, symbols, from, to, typed, compounding } = draft;
  const wrong = (field: BacktestField, message: string) => ({ error: { field, message } });
  if (strategy === null) return wrong('strategy', t`Choose a strategy.`);
  const setting = readParameters(strategy, draft.parameters);
  if ('errors' in setting)
    return { error: { message: Object.values(setting.errors)[0] ?? '', parameters: setting.errors } };
  if (symbols.length === 0) return wrong('symbols', t`Choose an asset.`);
  if (from === undefined) return wrong('from', t`Enter a date.`);
  if (to === undefined) return wrong('to', t`Enter a date.`);
  if (countDays(from, to) < 1) return wrong('to', t`The period ends before it begins.`);
  if (countDays(from, to) > MAX_DAYS) return wrong('to', t`At most ${MAX_DAYS} days.`);
  const amount = readAmount(typed);
  if (typed.trim() !== '' && !amount.ok) return wrong('amount', amount.message);
  if (!amount.ok || amount.dollars / symbols.length < minimumTradeDollars.primary)
    return wrong('amount', t`At least $${minimumTradeDollars.primary} for each asset.`);
  if (amount.dollars > MAX_DOLLARS) return wrong('amount', t`At most $1,000,000.`);
  const read = readStops(draft.stops);
  if ('errors' in read) return { error: { message: firstErrorText(read.errors), stops: read.errors } };
  const what = { strategy, params: setting.params, symbols: [...symbols], from, to, amount: amount.dollars };
  return { order: { ...what, compounding, ...onlySet(read.stops) } };
}
