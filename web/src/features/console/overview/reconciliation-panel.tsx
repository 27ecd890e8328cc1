import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { integrity } from '#contract/operator/integrity.ts';
import type { SolvencySnapshot } from '#contract/solvency/proof.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import classes from './overview.module.css';
import { integrityQuery, snapshotQuery, useCheckNow, useSealNow } from './queries.ts';

type Checked = DataOf<typeof integrity.getIntegrity>;

/** The last check of the books and the newest seal of what is owed; admins make another of each at once. */
export function BooksPanel() {
  const operator = useOperator();
  const checked = useQuery(integrityQuery);
  const snapshot = useQuery(snapshotQuery);
  const check = useCheckNow();
  const seal = useSealNow();
  const isRunning = Boolean(checked.data?.running);
  return (
    <Panel
      title="Books"
      foot={
        operator?.role === 'admin' && (
          <div className={classes.actions}>
            <BusyButton
              size="sm"
              variant="default"
              busy={check.isPending || isRunning}
              busyLabel="Checking"
              onClick={() => check.mutate()}
            >
              Check now
            </BusyButton>
            <BusyButton
              size="sm"
              variant="default"
              busy={seal.isPending}
              busyLabel="Sealing"
              onClick={() =>
                seal.mutate(undefined, {
                  onSuccess: ({ no, leaves }) => toast.success(`Sealed as no. ${no}`, `${leaves} members counted.`),
                })
              }
            >
              Seal now
            </BusyButton>
          </div>
        )
      }
    >
      <KeyValues items={[...checkFacts(checked.data), ...sealFacts(snapshot.data)]} />
      {checked.data?.last?.findings.map(({ check: of, subject, message }) => (
        <p key={`${of} ${subject} ${message}`} className={classes.finding}>
          <b>
            {of}, {subject}
          </b>
          : {message}
        </p>
      ))}
    </Panel>
  );
}

const verdicts = {
  passed: 'nothing found',
  failed: 'wrong',
  broken: 'ended without a result',
  running: 'under way',
} as const;
const scopes = { new: 'what came since', whole: 'everything' } as const;

/** What is not known is a dash. */
export function checkFacts(checked: Checked | undefined): [string, string][] {
  const last = checked?.last;
  if (!last) return [['Last check', checked === undefined ? '–' : 'none yet']];
  const tookMs = last.checks.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  return [
    ['Last check', `${formatDateTime(last.finished_at ?? last.started_at)}`],
    ['Looked at', `${scopes[last.scope]}, ${last.checks.length} checks in ${(tookMs / 1000).toFixed(1)} s`],
    ['Result', last.findings.length === 0 ? verdicts[last.state] : `${last.findings.length} found`],
  ];
}

const MICROS = 1e6;

function sealFacts(snapshot: SolvencySnapshot | null | undefined) {
  if (!snapshot) return [['Last seal', snapshot === undefined ? '–' : 'none yet']] as const;
  const { no, taken_at, leaves, sum_micros, root } = snapshot;
  return [
    ['Last seal', `no. ${no}, ${formatDateTime(taken_at)}`],
    ['Owed then', `${formatMoney(Number(sum_micros) / MICROS, 2)} to ${leaves.toLocaleString('en-US')} members`],
    ['Root', <CodeText key="root">{`${root.slice(0, 16)}…`}</CodeText>],
  ] as const;
}
