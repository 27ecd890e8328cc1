import { type PublishedHeads, publishedHeads } from '#contract/solvency/heads.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, hasRow, listRows } from '#server/db/rows.ts';

/** The start of an instant's hour. */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);

export const isPublished = (db: Db, hour: Date): Promise<boolean> =>
  hasRow(db)`select 1 from solvency.published_heads where hour = ${hour}`;

/** Whether heads were published for an hour at or after `since`. */
export const isPublishedSince = (db: Db, since: Date): Promise<boolean> =>
  hasRow(db)`select 1 from solvency.published_heads where hour >= ${since} limit 1`;

/** False when another process was first. */
export const insertPublished = (tx: Tx, hour: Date, document: PublishedHeads): Promise<boolean> =>
  hasRow(tx)`
    insert into solvency.published_heads (hour, published_at, document)
    values (${hour}, ${document.published_at}::timestamptz, ${JSON.stringify(document)})
    on conflict do nothing returning 1`;

/** A stored row; `document` is undefined if malformed. */
export type PublishedRow = { readonly hour: Date; readonly document: PublishedHeads | undefined };

export async function findLastPublished(db: Db): Promise<PublishedHeads | undefined> {
  const row = await findRow(db)<{ document: string }>`
    select document from solvency.published_heads order by hour desc limit 1`;
  return row && readDocument(row.document);
}

/** Newest first, and only before an hour if one is given. */
export async function listPublished(db: Db, before: Date | undefined, limit: number): Promise<PublishedRow[]> {
  const rows = await listRows(db)<{ hour: Date; document: string }>`
    select hour, document from solvency.published_heads where hour < ${before ?? 'infinity'}::timestamptz order by hour desc limit ${limit}`;
  return rows.map(({ hour, document }) => ({ hour, document: readDocument(document) }));
}

/** The stored text may have been tampered with. */
function readDocument(text: string): PublishedHeads | undefined {
  try {
    return publishedHeads.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const insertDelivery = (tx: Tx, hour: Date): Promise<void> =>
  execute(tx)`insert into solvency.anchor_delivery (hour) values (${hour})`;

export type Delivery = { readonly hour: Date; readonly document: string; readonly tries: number };

/** Claims a waiting delivery until the lease ends: the oldest of those tried least, so that refused ones hold up none. */
export const claimDelivery = (
  db: Db,
  now: Date,
  leaseSeconds: number,
  except: readonly Date[],
): Promise<Delivery | undefined> =>
  findRow(db)`
    update solvency.anchor_delivery d
    set tries = tries + 1, leased_until = ${now}::timestamptz + make_interval(secs => ${leaseSeconds})
    from solvency.published_heads p
    where p.hour = d.hour and d.hour = (
      select hour from solvency.anchor_delivery
      where state = 'waiting' and (leased_until is null or leased_until <= ${now})
        and hour <> all(${[...except]}::timestamptz[])
      order by tries, hour limit 1 for update skip locked)
    returning d.hour, p.document, d.tries`;

export const finishDelivery = (db: Db, { hour, tries }: Delivery): Promise<void> =>
  execute(db)`
    update solvency.anchor_delivery set state = 'sent', leased_until = null, last_fault = null
    where hour = ${hour} and tries = ${tries}`;

/** Makes the delivery due again at once; the job's own retry delay applies. */
export const releaseDelivery = (db: Db, { hour, tries }: Delivery, fault: string): Promise<void> =>
  execute(db)`
    update solvency.anchor_delivery set leased_until = null, last_fault = ${fault}
    where hour = ${hour} and tries = ${tries}`;
