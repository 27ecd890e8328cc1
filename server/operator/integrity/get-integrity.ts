import type { z } from 'zod';
import type { integrityState } from '#contract/operator/integrity.ts';
import type { Db } from '#server/db/connect.ts';
import { type Alarm, getAlarms } from '#server/solvency/index.ts';
import { findLastRun, findOpenRun, listFindings, type Run } from './run-sql.ts';

type IntegrityState = z.output<typeof integrityState>;
type ShownRun = NonNullable<IntegrityState['last']>;

const SHOWN_FINDINGS = 100;

/** The last reconciliation, one in progress, and the active alarms: a few rows read by key. */
export async function getIntegrity(db: Db): Promise<IntegrityState> {
  const [last, open, alarms] = [await findLastRun(db), await findOpenRun(db), await getAlarms(db)];
  return {
    last: last === undefined ? null : showRun(last, await listFindings(db, last.id, SHOWN_FINDINGS)),
    running: open?.startedAt.toISOString() ?? null,
    alarms: alarms.map(showAlarm),
  };
}

const showAlarm = ({ cause, why, raisedAt }: Alarm) => ({ cause, why, raised_at: raisedAt.toISOString() });

const showRun = (run: Run, findings: ShownRun['findings']): ShownRun => ({
  id: run.id.toString(),
  scope: run.scope,
  state: run.state as ShownRun['state'],
  started_at: run.startedAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
  checks: [...run.checks],
  findings,
});
