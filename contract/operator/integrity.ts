import { z } from 'zod';
import { endpoint, instant, operatorRoles } from '../endpoint.ts';
import { solvencySnapshot } from '../solvency/proof.ts';

/** Integrity checks of the ledger, in the order in which they run (docs/solvency.md, "Integrity checks"). */
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
  /** `new`: everything since the last run without discrepancies. `whole`: everything from the first transfer on. */
  scope: z.enum(['new', 'whole']),
  state: z.enum(['running', 'passed', 'failed', 'broken']),
  started_at: instant,
  /** Null while it runs. A `broken` run ended without a result. */
  finished_at: instant.nullable(),
  checks: z.array(z.strictObject({ check: z.enum(integrityChecks), duration_ms: z.number(), findings: z.number() })),
  findings: z.array(finding),
});

const alarm = z.strictObject({
  cause: z.enum(['solvency', 'integrity']),
  why: z.string(),
  raised_at: instant,
});

/** Also part of the overview. */
export const integrityState = z.strictObject({
  /** The newest finished run; null before the first. */
  last: run.nullable(),
  /** Start of the run in progress; null without one. */
  running: instant.nullable(),
  /** While one is raised, payouts cannot be resumed. */
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
    /** Null: the signing process creates it within a minute. */
    data: solvencySnapshot.nullable(),
    refusals: ['nobody_to_count'],
  }),
};
