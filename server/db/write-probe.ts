import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Writes and commits: that a database can be read says neither that it is the one that takes writes nor that it can. */
export async function probeWrite(db: Db): Promise<void> {
  await sql`update http.readiness set written_at = clock_timestamp()`.execute(db);
}

const PAGES = 8;

/**
 * Asks for new pages and gives them back. A full disk is seen by nothing less: a row that is changed in its place needs
 * no room. For the time of an outage only, because what was given back is free no sooner than the next vacuum.
 */
export async function probeRoom(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`insert into http.room (filler) select repeat('x', 8000) from generate_series(1, ${PAGES})`.execute(tx);
    await sql`delete from http.room`.execute(tx);
  });
}
