import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import { execute, findRow, getRow, hasRow, prepared } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import type { Db, Tx } from './connect.ts';
import { isLockTimeout, outcomeOf } from './faults.ts';

/**
 * The claim of one request on its `Idempotency-Key` (docs/api.md, "Idempotency-Key"). Scope: caller and call.
 */
export type Once = {
  readonly callerId: bigint;
  readonly call: string;
  readonly key: string;
  readonly bodyHash: string;
};

/** Runs `work` in one READ COMMITTED transaction. It must not do any other I/O. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const [done, tx] = await db.transaction().execute(async (opened) => [await work(opened), opened] as const);
  notifyCommit(db);
  runAfterCommit(tx);
  return done;
}

/** Less than a request waits for the rows that the transaction holds already. */
const BATCH_LOCK_MS = 1000;
const BATCH_PAUSE_MS = 500;
const BATCH_TRIES = 5;

/**
 * Runs `work` on the rows of many members. When another transaction holds one of them for a second, it rolls back, so
 * that the calls of the other members go on, and tries again.
 *
 * @throws the lock timeout of the last try
 */
export async function inBatchTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, maxTries = BATCH_TRIES): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(db, async (tx) => {
        await execute(tx)`select set_config('lock_timeout', ${String(BATCH_LOCK_MS)}, true)`;
        return work(tx);
      });
    } catch (error) {
      if (tries === maxTries || !isLockTimeout(error)) throw error;
      await sleep(BATCH_PAUSE_MS);
    }
  }
}

/** The same for one row of a list, whose next one must not wait: tries once. */
export const inRowTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inBatchTransaction(db, work, 1);

/**
 * Runs several reads in one snapshot, which does not change as others commit. Within an open transaction it uses that
 * one and starts nothing.
 */
export function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return read(db as Tx);
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** The same for work that also writes. The snapshot is taken after an initial `lock table`. */
export function inFrozenTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work);
}

/**
 * Runs an operation at most once per key: its reply is stored in the same transaction as its work. The same key with
 * the same body returns the first reply, with another body it is refused, and while the first still runs it is a
 * conflict. Refusals are not stored, because nothing happened.
 */
export async function runOnce<T>(db: Db, once: Once | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (once === undefined) return inTransaction(db, work);
  return inTransaction(db, async (tx) => {
    const {
      free,
      body_hash,
      reply: stored,
    } = await getRow(tx)<{ free: boolean; body_hash: string | null; reply: string | null }>`
      select pg_try_advisory_xact_lock(${lockNumber(once)}) as free, k.body_hash, k.reply
      from (select 1) as one left join http.idempotency k on ${isKey(once)}`;
    if (!free) throw new Refused('idempotency_running');
    if (body_hash) return replay(once, { body_hash, reply: stored as string });
    const reply = await work(tx);
    const isFirst = await hasRow(tx)`
      insert into http.idempotency (caller_id, call, key, body_hash, reply)
      values (${once.callerId}, ${once.call}, ${once.key}, ${once.bodyHash}, ${JSON.stringify(reply)})
      on conflict do nothing returning 1`;
    // The first request committed between the reads of its row and its lock: roll back, and let the client retry.
    if (!isFirst) throw new Refused('idempotency_running');
    return reply;
  });
}

/** A request of a group. */
export type Claimed = {
  readonly once: Once | undefined;
  /** The input of its operation. */
  readonly columns: Readonly<Record<string, bigint | number | boolean | string | null>>;
  /** The reply, without what the operation adds; not empty. */
  readonly reply: object;
};

/** The statement for a group of requests, compiled once per object. */
export type OnceStatement = {
  /** The SQL names and types of the requests' columns: `{ member_id: 'bigint' }`. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Parts of a `with` clause that read from `claimed`: a row for each request whose key is neither used nor in use,
   * with its number `n`, from 1, and its columns.
   */
  readonly work: RawBuilder<unknown>;
  /** Selects `n` and `added` of the completed requests: a non-empty jsonb object that is merged into the reply. */
  readonly added: RawBuilder<unknown>;
};

/**
 * `runOnce` for one statement that does the work of several requests, in one round trip and one commit, without a
 * transaction around it.
 *
 * @returns for each request in order its reply, its refusal, or undefined if it was claimed and not completed
 */
export async function runStatementOnce<T>(
  db: Db,
  requests: readonly Claimed[],
  statement: OnceStatement,
): Promise<(T | Refused | undefined)[]> {
  const rows = new Map((await executeOnce(db, requests, statement)).map((row) => [row.n, row]));
  notifyCommit(db);
  return requests.map(({ once, reply }, index) => {
    const row = rows.get(index + 1);
    assert(row !== undefined);
    if (!row.free) return new Refused('idempotency_running');
    if (row.body_hash !== null && row.body_hash !== once?.bodyHash) return new Refused('idempotency_mismatch');
    if (row.reply !== null) return JSON.parse(row.reply);
    return row.added === null ? undefined : ({ ...reply, ...row.added } as T);
  });
}

/**
 * Runs one auto-committed statement.
 *
 * @throws OutcomeUnknown if it was sent and its reply never arrived
 */
function commitStatement<T>(db: Db, statement: CompiledQuery<T>): Promise<QueryResult<T>> {
  // Without a connection, nothing was sent.
  return db.connection().execute(async (connection) => {
    try {
      return await connection.executeQuery(statement);
    } catch (error) {
      throw outcomeOf(error);
    }
  });
}

type ClaimRow = {
  readonly n: number;
  readonly free: boolean;
  readonly body_hash: string | null;
  /** The stored reply of a used key, as JSON. */
  readonly reply: string | null;
  /** Only for requests that were completed now. */
  readonly added: object | null;
};

async function executeOnce(
  db: Db,
  requests: readonly Claimed[],
  statement: OnceStatement,
): Promise<readonly ClaimRow[]> {
  try {
    return (await commitStatement(db, compileOnce(db, statement, requests))).rows;
  } catch (error) {
    // The first request committed between the reads of its row and its lock: all is rolled back, and the client
    // retries.
    if ((error as { constraint?: unknown }).constraint === 'idempotency_pkey') throw new Refused('idempotency_running');
    throw error;
  }
}

const claimColumns = {
  caller_id: 'bigint',
  call: 'text',
  key: 'text',
  body_hash: 'text',
  lock: 'bigint',
  reply: 'text',
};

/** Never part of a value: JSON escapes it, and a header cannot contain it. */
const SEPARATOR = '\x1e';
const separator = sql.raw(`chr(${SEPARATOR.charCodeAt(0)})`);

/**
 * Each column as one text for `string_to_array`, which PostgreSQL parses about ten times faster than JSON, and which
 * the driver need not quote. An empty element is null, so no value can be empty.
 */
function joinColumns(requests: readonly Claimed[], columns: OnceStatement['columns']): readonly string[] {
  const rows = requests.map(
    ({ once, columns: given, reply }): Readonly<Record<string, unknown>> => ({
      ...given,
      // Without its closing brace, so that the added fields can be appended.
      reply: `${JSON.stringify(reply).slice(0, -1)},`,
      ...(once && {
        caller_id: once.callerId,
        call: once.call,
        key: once.key,
        body_hash: once.bodyHash,
        lock: lockNumber(once),
      }),
    }),
  );
  return Object.keys({ ...claimColumns, ...columns }).map((name) =>
    rows.map((row) => toElement(row[name])).join(SEPARATOR),
  );
}

function toElement(value: unknown): unknown {
  assert(value !== '', 'an empty text would be read as null');
  return value;
}

const compiled = new WeakMap<OnceStatement, CompiledQuery<unknown>>();

/** The text is long and the same for every group: only the first parameters, the requests, change. */
function compileOnce(db: Db, statement: OnceStatement, requests: readonly Claimed[]): CompiledQuery<ClaimRow> {
  const asked = joinColumns(requests, statement.columns);
  const known = compiled.get(statement) ?? writeOnce(statement, asked).compile(db);
  compiled.set(statement, known);
  return { ...known, parameters: [...asked, ...known.parameters.slice(asked.length)] } as CompiledQuery<ClaimRow>;
}

function writeOnce({ columns, work, added }: OnceStatement, asked: readonly string[]): RawBuilder<unknown> {
  const types = Object.entries({ ...claimColumns, ...columns });
  const arrays = types.map(
    ([, type], index) => sql`string_to_array(${asked[index]}, ${separator}, '')::${sql.raw(type)}[]`,
  );
  const names = sql.raw(types.map(([name]) => name).join(', '));
  return sql`
      ${prepared}
      with asked as materialized (
        select ${names}, n::int as n from unnest(${sql.join(arrays)}) with ordinality as asked(${names}, n)),
      claim as materialized (
        select a.n, a.key is null or pg_try_advisory_xact_lock(a.lock) as free, k.body_hash, k.reply
        from asked a
        left join http.find_replies(
          array(select caller_id from asked order by n), array(select call from asked order by n),
          array(select key from asked order by n)) k on k.n = a.n),
      claimed as materialized (
        select a.* from asked a join claim c on c.n = a.n where c.free and c.body_hash is null),
      ${work},
      done as materialized (${added}),
      kept as (
        insert into http.idempotency (caller_id, call, key, body_hash, reply)
        select a.caller_id, a.call, a.key, a.body_hash, a.reply || substr(done.added::text, 2)
        from done join asked a on a.n = done.n where a.key is not null)
      select claim.n, claim.free, claim.body_hash, claim.reply, done.added
      from claim left join done on done.n = claim.n`;
}

/** The stored reply of a key, for requests that are refused before their operation starts. */
export async function findReply(db: Db, once: Once): Promise<{ reply: unknown } | undefined> {
  const stored = await findRow(db)<{ body_hash: string; reply: string }>`
    select k.body_hash, k.reply from http.idempotency k where ${isKey(once)}`;
  return stored && { reply: replay(once, stored) };
}

/**
 * Ends a request that is refused before its operation starts: with the stored reply of its key, a conflict while the
 * first still runs, else the refusal. It claims nothing, so it never blocks a request that may succeed.
 */
export async function refuseOnce<T>(db: Db, once: Once | undefined, refusal: Refused): Promise<T> {
  if (once === undefined) throw refusal;
  if (await isRunning(db, once)) throw new Refused('idempotency_running');
  const answered = await findReply(db, once);
  if (answered === undefined) throw refusal;
  return answered.reply as T;
}

/** Whether the lock of `runOnce` is held. PostgreSQL shows its number in two halves. */
function isRunning(db: Db, once: Once): Promise<boolean> {
  const number = BigInt.asUintN(64, lockNumber(once));
  return hasRow(db)`
    select 1 from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and classid = ${number >> 32n}::bigint::oid and objid = ${number & 0xffffffffn}::bigint::oid`;
}

/** Keys are stored for 7 days. */
export const forgetOldKeys = (db: Db, now: Date) =>
  execute(db)`delete from http.idempotency where created_at < ${now}::timestamptz - interval '7 days'`;

function replay<T>(once: Once, stored: { body_hash: string; reply: string }): T {
  if (stored.body_hash !== once.bodyHash) throw new Refused('idempotency_mismatch');
  return JSON.parse(stored.reply);
}

const isKey = (once: Once): RawBuilder<unknown> =>
  sql`k.caller_id = ${once.callerId} and k.call = ${once.call} and k.key = ${once.key}`;

/** A 64-bit number for the advisory lock. A collision of two keys only causes a 409. */
function lockNumber(once: Once): bigint {
  return hash('sha256', `${once.callerId}\n${once.call}\n${once.key}`, 'buffer').readBigInt64BE(0);
}

const commitListeners = new WeakMap<Db, () => void>();

/**
 * Calls `listener` after every commit of this process, as a hint that there may be something to publish. Hints are lost
 * with the process; anything that must not be lost is written in the transaction itself.
 *
 * @returns a function that removes the listener
 */
export function onCommit(db: Db, listener: () => void): () => void {
  commitListeners.set(db, listener);
  return () => commitListeners.delete(db);
}

const notifyCommit = (db: Db): void => commitListeners.get(db)?.();

const waiting = new WeakMap<Tx, (() => void)[]>();

/**
 * Runs `then` after this transaction commits, not after a rollback: for in-memory state that the transaction changed.
 */
export function afterCommit(tx: Tx, then: () => void): void {
  waiting.set(tx, [...(waiting.get(tx) ?? []), then]);
}

function runAfterCommit(tx: Tx): void {
  for (const then of waiting.get(tx) ?? []) then();
}

/** One more than two cores, because one waits for its commit. With the embedded engine they share one connection. */
const WORKERS = 3;

/**
 * Processes chunks in order with a few workers, for work of many transactions. After a failure no further chunk starts,
 * and the error is thrown once all workers have stopped, so that none continues in the background.
 *
 * @param find the next chunk after the given one, or undefined after the last; never called concurrently
 */
export async function runWorkers<Chunk>(
  find: (last: Chunk | undefined) => Promise<Chunk | undefined>,
  work: (chunk: Chunk) => Promise<void>,
  workers = WORKERS,
): Promise<void> {
  let turn: Promise<Chunk | undefined> = find(undefined);
  let hasFailed = false;
  const worker = async () => {
    try {
      for (let own = nextTurn(); ; own = nextTurn()) {
        const chunk = await own;
        if (chunk === undefined || hasFailed) return;
        await work(chunk);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const nextTurn = () => {
    const own = turn;
    turn = own.then((chunk) => (chunk === undefined || hasFailed ? undefined : find(chunk)));
    // If a stopped worker never awaits it, its rejection must not be unhandled.
    turn.catch(() => {});
    return own;
  };
  const ended = await Promise.allSettled(Array.from({ length: workers }, worker));
  await turn.catch(() => {});
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
