import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, listRows } from '#server/db/rows.ts';

export type JobFacts = {
  readonly name: string;
  readonly kind: 'loop' | 'queue';
  /** Only for a queue. */
  readonly cron: string | null;
  readonly overdueSeconds: number;
};

/** Results of one job since the last write. */
export type JobNews = {
  readonly name: string;
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
  readonly fault: string | null;
  /** Failures after the last success; without a success they add to the previous ones. */
  readonly failures: number;
  readonly tookMs: number | null;
};

/** A job with its results so far. */
export type JobRow = JobFacts & JobNews & { readonly firstSeenAt: Date; readonly isAskedFor: boolean };

/** Replaces the list of jobs with this worker's, keeping the results of those that remain. */
export async function replaceJobs(tx: Tx, jobs: readonly JobFacts[], now: Date): Promise<void> {
  const names = jobs.map((job) => job.name);
  await execute(tx)`delete from jobs.health where name <> all(${names}::text[])`;
  await execute(tx)`
    insert into jobs.health (name, kind, cron, overdue_seconds, first_seen_at)
    select j.name, j.kind, j.cron, j.overdue_seconds, ${now}
    from unnest(${names}::text[], ${jobs.map((job) => job.kind)}::text[], ${jobs.map((job) => job.cron)}::text[],
      ${jobs.map((job) => job.overdueSeconds)}::int[]) as j(name, kind, cron, overdue_seconds)
    order by j.name
    on conflict (name) do update
    set kind = excluded.kind, cron = excluded.cron, overdue_seconds = excluded.overdue_seconds`;
}

/** Locks rows in name order, so that two workers cannot deadlock. */
export const writeNews = (db: Db, news: readonly JobNews[]) =>
  execute(db)`
    with locked as materialized (
      select name from jobs.health where name = any(${news.map((one) => one.name)}::text[]) order by name for update)
    update jobs.health h
    set started_at = coalesce(n.started_at, h.started_at), succeeded_at = coalesce(n.succeeded_at, h.succeeded_at),
      failed_at = coalesce(n.failed_at, h.failed_at), fault = coalesce(n.fault, h.fault),
      failures = n.failures + case when n.succeeded_at is null then h.failures else 0 end,
      took_ms = coalesce(n.took_ms, h.took_ms)
    from locked join unnest(
      ${news.map((one) => one.name)}::text[], ${news.map((one) => one.startedAt)}::timestamptz[],
      ${news.map((one) => one.succeededAt)}::timestamptz[], ${news.map((one) => one.failedAt)}::timestamptz[],
      ${news.map((one) => one.fault)}::text[], ${news.map((one) => one.failures)}::int[],
      ${news.map((one) => one.tookMs)}::int[])
      as n(name, started_at, succeeded_at, failed_at, fault, failures, took_ms) on n.name = locked.name
    where h.name = locked.name`;

/** Every loop and queue, by name. */
export const listJobRows = (db: Db) =>
  listRows(db)<JobRow>`
    select h.name, h.kind, h.cron, h.overdue_seconds as "overdueSeconds", h.first_seen_at as "firstSeenAt",
      h.started_at as "startedAt", h.succeeded_at as "succeededAt", h.failed_at as "failedAt", h.fault, h.failures,
      h.took_ms as "tookMs", r.name is not null as "isAskedFor"
    from jobs.health h left join jobs.request r on r.name = h.name order by h.name`;

/** False if there is no queue of this name: loops run by themselves. */
export const insertRequest = (tx: Tx, name: string, now: Date): Promise<boolean> =>
  getValue(tx)<boolean>`
    with asked as (
      insert into jobs.request (name, asked_at) select name, ${now} from jobs.health where name = ${name} and kind = 'queue'
      on conflict (name) do nothing)
    select exists (select from jobs.health where name = ${name} and kind = 'queue') as found`;

export type JobRequest = { readonly name: string; readonly askedAt: Date };

export const listRequests = (db: Db) =>
  listRows(db)<JobRequest>`
    select name, asked_at as "askedAt" from jobs.request order by name`;

/** Deletes only the request that was read; a newer one stays. */
export const deleteRequest = (db: Db, { name, askedAt }: JobRequest) =>
  execute(db)`delete from jobs.request where name = ${name} and asked_at = ${askedAt}`;
