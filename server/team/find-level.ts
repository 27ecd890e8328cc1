import type { Db } from '#server/db/connect.ts';
import { findDistance } from './place-sql.ts';

/**
 * The level at which a member stands below another, 1 for a direct; undefined when they are not in that one's team, which
 * has ten levels and does not hold its head.
 */
export const findLevel = (db: Db, ancestorId: bigint, memberId: bigint): Promise<number | undefined> =>
  findDistance(db, ancestorId, memberId);
