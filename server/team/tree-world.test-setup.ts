import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

export type Seedling = { readonly name: string; readonly sponsorId: bigint };

/** Inserts members as registrations do, in one statement and in this order. Returns their ids. */
export async function plant(db: Db, seedlings: readonly Seedling[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select upper('TW' || substr(md5(random()::text), 1, 16)), sponsor_id, name, lower(replace(name, ' ', '.')) || '@mail.test',
      '+919876544127', '-', '2026-03-04T12:00:00Z'
    from unnest(${seedlings.map((one) => one.sponsorId)}::bigint[], ${seedlings.map((one) => one.name)}::text[])
      with ordinality as seedling(sponsor_id, name, no)
    order by no returning id`.execute(db);
  return rows.map((row) => row.id);
}

/** A number of directs, cycling through `names`. */
export const plantUnder = (db: Db, sponsorId: bigint, count: number, ...names: string[]): Promise<bigint[]> =>
  plant(
    db,
    Array.from({ length: count }, (_, index) => ({
      sponsorId,
      name: names[index % names.length] ?? `Member ${index + 1}`,
    })),
  );

/** A chain: each the direct of the previous one, the first of `sponsorId`. */
export async function plantChain(db: Db, sponsorId: bigint, length: number): Promise<bigint[]> {
  const chain: bigint[] = [];
  for (let link = 0; link < length; link += 1) chain.push(...(await plantUnder(db, chain.at(-1) ?? sponsorId, 1)));
  return chain;
}
