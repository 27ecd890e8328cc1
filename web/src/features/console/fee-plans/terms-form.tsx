import { TextInput } from '@mantine/core';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { formatBps } from '../../../entities/income/fees.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import classes from './fee-plans.module.css';
import {
  type Draft,
  distributed,
  type FieldErrors,
  incomeFields,
  isTooMuch,
  rankFields,
  rateFields,
  readField,
  restOf,
  shareFields,
  type TermField,
  type Unit,
  type Waterfall,
} from './terms.ts';

export type Editing = {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly onType: (key: string, text: string) => void;
};

type TermsFormProps = {
  /** The current fee plan, and the next session's when it differs. */
  current: FeePlanTerms;
  next: FeePlanTerms | undefined;
  /** Omitted for read-only roles. */
  editing?: Editing | undefined;
};

/** All terms of a fee plan: the current ones, the next ones, and for admins a field to propose others. */
export function TermsForm(plans: TermsFormProps) {
  return (
    <div className={classes.terms}>
      <div>
        <Terms title="Fees" fields={rateFields} {...plans} />
        <Terms title="Performance fee allocation" fields={shareFields.performance} sum="performance" {...plans} />
        <Terms title="Weekly and monthly income" fields={incomeFields} {...plans} />
      </div>
      <div>
        <Terms title="Trade fee allocation" fields={shareFields.trade} sum="trade" {...plans} />
      </div>
      <Ranks {...plans} />
    </div>
  );
}

const wordsOf = (unit: Unit, value: number): string =>
  unit === 'percent' ? formatBps(value) : unit === 'dollars' ? formatMoney(value, 'typed') : String(value);

type TermsProps = TermsFormProps & { title: string; fields: readonly TermField[]; sum?: Waterfall };

function Terms({ title, fields, sum, current, next, editing }: TermsProps) {
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Current</th>
          {next && <th scope="col">Next</th>}
          {editing && <th scope="col">Proposed</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.key} data-changed={isChanged(field, next ?? current, editing) || undefined}>
            <th scope="row">{field.label}</th>
            <td>{wordsOf(field.unit, field.read(current))}</td>
            {next && <td>{wordsOf(field.unit, field.read(next))}</td>}
            {editing && (
              <td>
                <Field field={field} editing={editing} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
      {sum && <Sum waterfall={sum} current={current} next={next} editing={editing} />}
    </table>
  );
}

const isChanged = (field: TermField, base: FeePlanTerms, editing: Editing | undefined): boolean => {
  if (editing === undefined) return false;
  const read = readField(field, editing.draft[field.key] ?? '');
  return 'error' in read || read.value !== field.read(base);
};

const signs = { percent: '%', dollars: '$', count: '' } as const;

function Field({ field, editing: { draft, errors, onType } }: { field: TermField; editing: Editing }) {
  const { key, name, unit, waterfall } = field;
  const isOver = waterfall !== undefined && isTooMuch(distributed(waterfall, draft));
  return (
    <TextInput
      size="sm"
      aria-label={`${name}, ${unit === 'percent' ? 'percent' : unit === 'dollars' ? 'dollars' : 'people'}`}
      data-field={key}
      inputMode={unit === 'count' ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={draft[key] ?? ''}
      // Any share may be the wrong one: all are marked, and the total says why.
      error={errors[key] ?? isOver}
      rightSection={signs[unit]}
      rightSectionWidth={24}
      rightSectionPointerEvents="none"
      onChange={(event) => onType(key, event.currentTarget.value)}
    />
  );
}

/** How much of a fee is distributed and retained, live while the fields change. */
function Sum({ waterfall, current, next, editing }: { waterfall: Waterfall } & TermsFormProps) {
  const sumOf = (terms: FeePlanTerms) => shareFields[waterfall].reduce((sum, field) => sum + field.read(terms), 0);
  const proposed = editing && distributed(waterfall, editing.draft);
  const isOver = isTooMuch(proposed);
  const row = (label: string, words: (bps: number) => string) => (
    <tr>
      <th scope="row">{label}</th>
      <td>{words(sumOf(current))}</td>
      {next && <td>{words(sumOf(next))}</td>}
      {editing && <td data-over={isOver || undefined}>{proposed === undefined ? '–' : words(proposed)}</td>}
    </tr>
  );
  return (
    <tfoot>
      {row('Distributed', formatBps)}
      {row('Retained', (bps) => (bps > 10_000 ? '–' : formatBps(restOf(bps))))}
      {editing && (
        <tr>
          <td colSpan={next ? 4 : 3} role="status" data-over={isOver || undefined}>
            {isOver && proposed !== undefined && `${formatBps(-restOf(proposed))} over 100% of the fee.`}
          </td>
        </tr>
      )}
    </tfoot>
  );
}

function Ranks({ current, next, editing }: TermsFormProps) {
  const base = next ?? current;
  return (
    <table className={`${classes.table} ${classes.ranks}`} aria-label="Ranks">
      <thead>
        <tr>
          <th scope="col">Ranks</th>
          <th scope="col">Team volume</th>
          <th scope="col">Monthly maximum</th>
          <th scope="col">Maximum reward</th>
        </tr>
      </thead>
      <tbody>
        {rankFields.map(({ name, fields }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {fields.map((field) => (
              <td key={field.key} data-changed={isChanged(field, base, editing) || undefined}>
                <div className={classes.rank}>
                  <span>
                    {formatMoney(field.read(current), 'typed')}
                    {next && field.read(next) !== field.read(current) && ` → ${formatMoney(field.read(next), 'typed')}`}
                  </span>
                  {editing && <Field field={field} editing={editing} />}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
