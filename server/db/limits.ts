/** Size and timeouts of a connection pool (docs/operations.md, "Database limits"). */
export type PoolLimits = {
  /** Maximum of connections. */
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

/** One pool for requests, one for background work, one in reserve. */
export type DatabaseLimits = {
  readonly requests: PoolLimits;
  readonly jobs: PoolLimits;
  readonly reserved: PoolLimits;
};

/** PostgreSQL reports statement timeouts itself; only if that report is missing, the connection is closed. */
const GRACE_MS = 500;

/** After this time without a reply, a connection is considered lost. */
export const answerMs = ({ statementMs }: PoolLimits): number => statementMs + GRACE_MS;

/** The limits that PostgreSQL enforces, by setting name. */
export const serverLimits = (limits: PoolLimits): readonly (readonly [name: string, ms: number])[] => [
  ['statement_timeout', limits.statementMs],
  ['lock_timeout', limits.lockMs],
  ['idle_in_transaction_session_timeout', limits.idleInTransactionMs],
];
