import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, listRows, listValues } from '#server/db/rows.ts';
import type { Amount, Compared } from '../core/compare-entries.ts';
import type { GatewayEntry } from '../gateways/gateway.ts';

export type Statement = {
  readonly gateway: string;
  readonly askedAt: Date | null;
  readonly fault: string | null;
  readonly faultAt: Date | null;
  readonly from: Date | null;
  readonly to: Date | null;
};

export const listStatements = (db: Db, gateways: readonly string[]) =>
  listRows(db)<Statement & { readonly entries: bigint }>`
    select name as gateway, s.asked_at as "askedAt", s.fault, s.fault_at as "faultAt", s.covered_from as "from", s.covered_to as "to",
      (select count(*) from funds.gateway_entry e where e.gateway = name) as entries
    from unnest(${[...gateways]}::text[]) with ordinality as own(name, place) left join funds.gateway_statement s on s.gateway = name
    order by place`;

/** Serializes imports of a gateway. */
export async function lockStatement(tx: Tx, gateway: string): Promise<Statement> {
  await execute(tx)`insert into funds.gateway_statement (gateway) values (${gateway}) on conflict do nothing`;
  return getRow(tx)<Statement>`
    select gateway, asked_at as "askedAt", fault, fault_at as "faultAt", covered_from as "from", covered_to as "to"
    from funds.gateway_statement where gateway = ${gateway} for update`;
}

export const updateAsked = (tx: Tx, gateway: string, at: Date) =>
  execute(tx)`update funds.gateway_statement set asked_at = ${at} where gateway = ${gateway}`;

export const updateFault = (tx: Tx, gateway: string, fault: { readonly message: string; readonly at: Date }) =>
  execute(
    tx,
  )`update funds.gateway_statement set fault = ${fault.message}, fault_at = ${fault.at} where gateway = ${gateway}`;

export const updateCovered = (tx: Tx, gateway: string, { from, to }: { readonly from: Date; readonly to: Date }) =>
  execute(tx)`
    update funds.gateway_statement
    set covered_from = least(covered_from, ${from}::timestamptz), covered_to = ${to}, fault = null, fault_at = null
    where gateway = ${gateway}`;

/** Time of the first deposit or withdrawal at the gateway; null before. */
export const findFirstBooking = (db: Db, gateway: string): Promise<Date | null> =>
  getValue(db)<Date | null>`
      select least((select min(created_at) from funds.deposit where gateway = ${gateway}),
        (select min(created_at) from funds.withdrawal where gateway = ${gateway})) as at`;

const CHUNK = 1000;

/** An entry listed again is updated. Entries may be duplicated when the list shifts while its pages are read. */
export async function upsertEntries(
  tx: Tx,
  gateway: string,
  entries: readonly GatewayEntry[],
  at: Date,
): Promise<void> {
  for (let from = 0; from < entries.length; from += CHUNK)
    await execute(tx)`
      insert into funds.gateway_entry as e (gateway, kind, entry_id, about, at, asset, units, imported_at)
      select distinct on (l.kind, l.id) ${gateway}, l.kind, l.id, l.about, l.at, l.asset, l.units::numeric, ${at}
      from jsonb_to_recordset(${JSON.stringify(entries.slice(from, from + CHUNK))}::jsonb)
        as l(kind text, id text, about text, at timestamptz, asset text, units text)
      on conflict (gateway, kind, entry_id) do update set about = excluded.about, units = excluded.units, asset = excluded.asset
      where (e.about, e.units, e.asset) is distinct from (excluded.about, excluded.units, excluded.asset)`;
}

export const listEntriesAbout = (tx: Tx, gateway: string, topics: readonly string[]) =>
  listRows(tx)<Amount>`
    select about, at, asset, units::text from funds.gateway_entry
    where gateway = ${gateway} and about = any(${[...topics]}::text[])`;

/** Topics of findings that are not matched. */
export const listOpenTopics = (tx: Tx, gateway: string) =>
  listValues(tx)<string>`select about from funds.gateway_finding where gateway = ${gateway} and state <> 'matched'`;

export type Booked = Amount & {
  readonly reference: string;
  /** For a payout in dollars: its network fee is a separate transfer in the ledger. */
  readonly withdrawalId: bigint | null;
};

/**
 * What we booked at a gateway since an instant or about `topics`: deposits, payouts and, where it holds coins, the network
 * fees of their transactions.
 */
export const listBooked = (
  tx: Tx,
  gateway: string,
  { from, topics }: { readonly from: Date; readonly topics: readonly string[] },
) =>
  listRows(tx)<Booked>`
    with holding as (select asset from funds.gateway_holding where gateway = ${gateway}),
    booked as (
      select 'payment/' || d.invoice_id as about, d.updated_at as at, d.reference, null::bigint as "withdrawalId",
        case when not exists (select from holding) then d.booked_micros::numeric / 1000000
          else (select case when sum(m.micros) filter (where m.kind = 'payment') = d.booked_micros then sum(m.units) filter (where m.kind = 'payment') end
            from funds.gateway_movement m where m.gateway = ${gateway} and m.reference = d.reference) end as units
      from funds.deposit d
      where d.gateway = ${gateway} and d.booked_micros > 0
      union all
      select case when exists (select from holding) then 'transaction/' || w.transaction else 'payout/' || w.payout_id end, w.updated_at,
        w.reference, case when not exists (select from holding) then w.id end,
        case when not exists (select from holding) then (w.fee_micros - w.amount_micros)::numeric / 1000000
          else (select sum(m.units) from funds.gateway_movement m
            where m.gateway = ${gateway} and m.reference = w.reference and m.kind = 'payout') end
      from funds.withdrawal w
      where w.state = 'completed' and w.gateway = ${gateway}
      union all
      select 'transaction/' || m.transaction, m.at, m.reference, null, m.units
      from funds.gateway_movement m where m.gateway = ${gateway} and m.kind = 'network_fee')
    select about, at, reference, "withdrawalId", units::text, coalesce((select asset from holding), 'USDT') as asset
    from booked where about is not null and (at >= ${from} or about = any(${[...topics]}::text[]))`;

export type Finding = Omit<Compared, 'kind'> & {
  readonly id: bigint;
  readonly gateway: string;
  readonly kind: 'unmatched' | 'missing' | 'differs';
  readonly foundAt: Date;
  readonly state: 'open' | 'matched' | 'explained';
  readonly closedAt: Date | null;
  readonly explanation: string | null;
  readonly explainedBy: bigint | null;
};

/** Records a mismatch. An explained one is reopened only when its figures change. */
export const upsertFinding = (tx: Tx, gateway: string, one: Compared, at: Date) =>
  execute(tx)`
    insert into funds.gateway_finding as f (gateway, about, kind, at, asset, listed, booked, reference, found_at, state)
    values (${gateway}, ${one.about}, ${one.kind}, ${one.at}, ${one.asset}, ${one.listed}::numeric, ${one.booked}::numeric,
      ${one.reference}::text, ${at}, 'open')
    on conflict (gateway, about) do update set kind = excluded.kind, at = excluded.at, asset = excluded.asset, listed = excluded.listed,
      booked = excluded.booked, reference = excluded.reference, state = 'open', closed_at = null, explanation = null, explained_by = null
    where f.state = 'matched'
      or (f.kind, f.asset, f.listed, f.booked) is distinct from (excluded.kind, excluded.asset, excluded.listed, excluded.booked)`;

export const closeMatched = (tx: Tx, gateway: string, topics: readonly string[], at: Date) =>
  execute(tx)`
    update funds.gateway_finding set state = 'matched', closed_at = ${at}, explanation = null, explained_by = null
    where gateway = ${gateway} and about = any(${[...topics]}::text[]) and state <> 'matched'`;

export const updateExplained = (
  tx: Tx,
  id: bigint,
  { explanation, by, at }: { explanation: string; by: bigint; at: Date },
) =>
  execute(tx)`
    update funds.gateway_finding set state = 'explained', closed_at = ${at}, explanation = ${explanation}, explained_by = ${by}
    where id = ${id}`;

const findingColumns = sql`
  id, gateway, about, kind, at, asset, trim_scale(listed)::text as listed, trim_scale(booked)::text as booked, reference, found_at as "foundAt", state, closed_at as "closedAt",
  explanation, explained_by as "explainedBy"`;

export const lockFinding = (tx: Tx, id: bigint) =>
  findRow(tx)<Finding>`
    select ${findingColumns} from funds.gateway_finding where id = ${id} for update`;

export const listFindingsOf = (db: Db, id: bigint) =>
  listRows(db)<Finding>`select ${findingColumns} from funds.gateway_finding where id = ${id}`;

/** Open ones oldest first, others newest first. */
export const listFindings = (
  db: Db,
  {
    state,
    after,
    limit,
  }: { readonly state: Finding['state']; readonly after: bigint | undefined; readonly limit: number },
) =>
  listRows(db)<Finding>`
    select ${findingColumns} from funds.gateway_finding
    where state = ${state} and (${after ?? null}::bigint is null or case when state = 'open' then id > ${after ?? null} else id < ${after ?? null} end)
    order by case when state = 'open' then id else -id end limit ${limit}`;

/** Number of open findings, and when the oldest was found. */
export const sumGatewayFindings = (db: Db) =>
  getRow(db)<{ readonly count: bigint; readonly oldestAt: Date | null }>`
    select count(*) as count, min(found_at) as "oldestAt" from funds.gateway_finding where state = 'open'`;
