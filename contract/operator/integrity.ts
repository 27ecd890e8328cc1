import { z } from 'zod';
import { endpoint, instant, operatorRoles } from '../endpoint.ts';
import { solvencySnapshot } from '../solvency/proof.ts';

/** What the books are checked for, in the order of the checks (docs/solvency.md, "Integrity checks"). */
export const integrityChecks = [
  'rules',
  'seals',
  'statements',
  'sums',
  'funds',
  'incomes',
  'audit',
  'snapshots',
  'signatures',
] as const;
export type IntegrityCheck = (typeof integrityChecks)[number];

const finding = z.strictObject({ check: z.enum(integrityChecks), subject: z.string(), message: z.string() });

const run = z.strictObject({
  id: z.string(),
  /** `new`: what came since the last run that found nothing. `whole`: everything, from the first transfer on. */
  scope: z.enum(['new', 'whole']),
  state: z.enum(['running', 'passed', 'failed', 'broken']),
  started_at: instant,
  /** Null while it runs. `broken` runs ended without a result. */
  finished_at: instant.nullable(),
  checks: z.array(z.strictObject({ check: z.enum(integrityChecks), duration_ms: z.number(), findings: z.number() })),
  findings: z.array(finding),
});

const alarm = z.strictObject({
  cause: z.enum(['solvency', 'integrity']),
  why: z.string(),
  raised_at: instant,
});

/** For the overview, too. */
export const integrityState = z.strictObject({
  /** The newest run that is over; null before the first. */
  last: run.nullable(),
  /** One that is under way. */
  running: instant.nullable(),
  /** While one stands, payouts cannot go on. */
  alarms: z.array(alarm),
});

export const integrity = {
  getIntegrity: endpoint({
    method: 'GET',
    path: '/operator/integrity',
    access: operatorRoles,
    summary: 'Get the last reconciliation and active alarms',
    data: integrityState,
  }),
  runIntegrity: endpoint({
    method: 'POST',
    path: '/operator/integrity/run',
    access: ['admin'],
    summary: 'Start a full reconciliation from the first transfer; returns immediately',
    data: z.strictObject({ started: z.boolean() }),
  }),
  takeSnapshot: endpoint({
    method: 'POST',
    path: '/operator/solvency/snapshot',
    access: ['admin'],
    summary: 'Create a proof of liabilities now, in addition to the daily one',
    /** Null: the process that signs makes it within a minute. */
    data: solvencySnapshot.nullable(),
    refusals: ['nobody_to_count'],
  }),
};
