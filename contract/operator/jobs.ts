import { z } from 'zod';
import { endpoint, id, instant, operatorRoles, page, paging, pagingOrOne } from '../endpoint.ts';
import { one } from '../fields.ts';

export const jobStates = ['waiting', 'running', 'failing'] as const;

/** A loop runs several times a second; a queue runs on its cron schedule or on request. */
export const jobHealth = z.strictObject({
  name: z.string(),
  kind: z.enum(['loop', 'queue']),
  /** Cron schedule of a queue, in UTC. */
  cron: z.string().nullable(),
  state: z.enum(jobStates),
  /** Accurate to a few seconds. */
  last_success_at: instant.nullable(),
  last_fault_at: instant.nullable(),
  /** The kind of error, never its text: `23505`, `TypeError`, `ECONNREFUSED`. */
  last_fault: z.string().nullable(),
  /** Since the last success. */
  failures: z.number().int(),
  /** Duration of the last finished run, in milliseconds. */
  took_ms: z.number().int().nullable(),
  /** A requested run has not started yet. */
  asked_for: z.boolean(),
  /** No success for longer than a run may ever take: it hangs, or no worker is running. */
  overdue: z.boolean(),
});
export type JobHealth = z.output<typeof jobHealth>;

const failedEmail = z.strictObject({
  id,
  /** Masked: `a•••@e•••.com`. The text is not shown, since emails carry codes. */
  to: z.string(),
  subject: z.string(),
  tries: z.number().int(),
  fault: z.string().nullable(),
  created_at: instant,
});
export type FailedEmail = z.output<typeof failedEmail>;

export const consoleJobs = {
  listJobs: endpoint({
    method: 'GET',
    path: '/operator/jobs',
    access: operatorRoles,
    summary: 'List worker jobs with their last run, by name',
    data: z.strictObject({ items: z.array(jobHealth) }),
  }),
  runJob: endpoint({
    method: 'POST',
    path: '/operator/jobs/:name/run',
    access: ['admin'],
    summary: 'Request a run of a queue; repeated requests before it starts are one run',
    params: z.strictObject({ name: z.string().regex(/^[a-z][a-z.-]{0,59}$/, 'Not a name of a job.') }),
    refusals: ['job_not_found'],
  }),
  listFailedEmails: endpoint({
    method: 'GET',
    path: '/operator/failed-emails',
    access: ['admin'],
    summary: 'List emails that failed permanently in the last three days, newest first',
    query: z.strictObject(paging),
    data: page(failedEmail),
  }),
  retryFailedEmail: endpoint({
    method: 'POST',
    path: '/operator/failed-emails/:id/retry',
    access: ['admin'],
    summary: 'Retry a permanently failed email',
    params: one,
    refusals: ['email_not_failed'],
  }),
};

export const outbox = {
  listOutbox: endpoint({
    method: 'GET',
    path: '/operator/outbox',
    access: ['admin'],
    summary: 'List emails as written; only in paper mode without an email server',
    query: z.strictObject(pagingOrOne),
    data: page(
      z.strictObject({
        id,
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        state: z.enum(['waiting', 'sent', 'logged', 'failed', 'capped']),
        /** Why it failed; null in other states. */
        fault: z.string().nullable(),
        created_at: instant,
      }),
    ),
    refusals: ['not_found'],
  }),
};
