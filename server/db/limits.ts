/** How long a pool of connections waits for PostgreSQL before it gives up (docs/operations.md, "Database limits"). */
export type PoolLimits = {
  /** Connections of the pool at most. */
  readonly connections: number;
  /** For a free connection, or for a new one to be accepted. */
  readonly waitMs: number;
  /** For a lock that another transaction holds. */
  readonly lockMs: number;
  /** For one statement, its locks included. */
  readonly statementMs: number;
  /** Between two statements of a transaction. */
  readonly idleInTransactionMs: number;
};

/** One pool for what people wait for, one for work that nobody waits for, one that is kept free. */
export type DatabaseLimits = {
  readonly requests: PoolLimits;
  readonly jobs: PoolLimits;
  readonly reserved: PoolLimits;
};

/** PostgreSQL ends a statement by itself and says so; only when not even that comes, the connection is failed permanently. */
const GRACE_MS = 500;

/** After how long without an answer a connection is given up as lost. */
export const answerMs = ({ statementMs }: PoolLimits): number => statementMs + GRACE_MS;

/** The limits that PostgreSQL itself keeps, by their names there. */
export const serverLimits = (limits: PoolLimits): readonly (readonly [name: string, ms: number])[] => [
  ['statement_timeout', limits.statementMs],
  ['lock_timeout', limits.lockMs],
  ['idle_in_transaction_session_timeout', limits.idleInTransactionMs],
];
