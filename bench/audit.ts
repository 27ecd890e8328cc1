import { sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { audit } from '#contract/operator/audit.ts';
import { sealAudit, verifyAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { listAudit } from '#server/operator/audit/list-audit.ts';
import { atMost, inSeconds, measureCalls, onCluster } from './measure.ts';
import { type Figure, report } from './report.ts';
import { openWorld, START } from './world.ts';

const ENTRIES = 1_000_000;
const MEMBERS = 1_000;
const CALLS = 200;
const PAGE = 25;
/** The period the entries cover. */
const DAYS = 730;

type Query = Omit<QueryOf<typeof audit.listAudit>, 'limit' | 'format'>;

/**
 * Searches an audit log of a million entries: the first page of each query, and one far down (docs/performance.md).
 * Also reports how long sealing and verifying all of it takes.
 *
 * @returns whether every figure meets its target
 */
export async function runAuditBench(entries = ENTRIES): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const { database, context, remove } = await openWorld(cluster, 'audit', MEMBERS, 1n);
    await load(context, entries);
    await database.runScript('vacuum analyze audit.entry');
    const seconds = await measureSeconds(context);
    const figures = await measurePages(context);
    await remove();
    return report('audit', 'Audit log', figures, [
      `${server} ${entries} entries over ${DAYS} days; p95 of ${CALLS} calls of the operation for pages of ${PAGE}, with its trips to the database. Sealing all of them at once took ${seconds.seal.toFixed(1)} s, verifying them ${seconds.verify.toFixed(1)} s.`,
    ]);
  });
}

/** Mostly members' sign-ins; one entry in a hundred is an operator's, one in a thousand a freeze. */
async function load({ db }: Context, entries: number): Promise<void> {
  await sql`
    insert into audit.entry (actor_kind, actor_id, action, subject, before, after, address, created_at)
    select case when n % 100 = 0 then 'operator' else 'member' end,
      case when n % 100 = 0 then 1 + n % 7 else 2 + n % ${MEMBERS}::int end,
      case when n % 1000 = 0 then 'member.freeze' when n % 100 = 0 then 'withdrawal.approve'
           when n % 10 = 0 then 'member.change_payout_address' else 'member.sign_in' end,
      'member:' || 2 + n % ${MEMBERS}::int,
      case when n % 1000 = 0 then '{"frozen": false}'::jsonb end,
      jsonb_build_object('device', 'Firefox on Windows', 'reference', 'WD' || n),
      '192.0.2.' || n % 250,
      timestamptz '2026-03-04T12:20:00Z' - interval '1 day' * ${DAYS}::int * (1 - n::float8 / ${entries}::int)
    from generate_series(1, ${entries}::int) n`.execute(db);
}

async function measureSeconds(context: Context): Promise<{ seal: number; verify: number }> {
  const seal = await inSeconds(() => sealAudit(context));
  const began = performance.now();
  const findings = await verifyAudit(context.db);
  if (findings.length > 0) throw new Error(`the log does not verify: ${JSON.stringify(findings)}`);
  return { seal, verify: (performance.now() - began) / 1000 };
}

const daysBefore = (days: number) => new Date(Date.parse(START) - days * 86_400_000).toISOString();

async function measurePages(context: Context): Promise<Figure[]> {
  const month = { from: daysBefore(400), to: daysBefore(370) };
  const far = `${Date.parse(daysBefore(365))}000_1`;
  const pages: (readonly [string, Query])[] = [
    ['first page', {}],
    ['a page in the middle', { cursor: far }],
    ['one operator', { actor: 'operator', actor_id: '3' }],
    ['all operators', { actor: 'operator' }],
    ['one member as actor', { actor: 'member', actor_id: '500' }],
    ['one subject', { subject: 'member:500' }],
    ['a common action', { action: 'member.sign_in' }],
    ['a rare action, in the middle', { action: 'member.freeze', cursor: far }],
    ['a domain of actions', { action: 'withdrawal.' }],
    ['an action that never was', { action: 'fee_plan.create' }],
    ['a month a year ago', month],
    ['that month, one action', { ...month, action: 'member.freeze' }],
    ['a word that is in one entry', { text: 'WD123456' }],
    ['a word that is in every entry', { text: 'firefox' }],
    ['two words and a subject', { text: 'freeze false', subject: 'member:2' }],
    ['a word that is in none', { text: 'nowhere' }],
  ];
  const figures: Figure[] = [];
  for (const [what, query] of pages) {
    const measured = await measureCalls(CALLS, () => listAudit(context, { ...query, limit: PAGE }));
    figures.push(atMost(`operator/audit, ${what}, p95`, measured, 'ms', 10, 3));
  }
  return figures;
}
