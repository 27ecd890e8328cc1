import assert from 'node:assert';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** What a query needs: the database or an open transaction of it. */
type Db = QueryExecutorProvider;

type Template = Parameters<typeof sql>;

/** All rows of a query: a template tag like `sql`, with the row type as type argument. */
export const listRows =
  (db: Db) =>
  async <Row>(...query: Template): Promise<Row[]> =>
    (await sql<Row>(...query).execute(db)).rows;

/** The first row, if any. */
export const findRow =
  (db: Db) =>
  async <Row>(...query: Template): Promise<Row | undefined> =>
    (await sql<Row>(...query).execute(db)).rows[0];

/** The row of a query that always has one, such as a sum. */
export const getRow =
  (db: Db) =>
  async <Row>(...query: Template): Promise<Row> =>
    (await sql<Row>(...query).execute(db)).rows[0] as Row;

/** The only column of each row. */
export const listValues =
  (db: Db) =>
  async <Value>(...query: Template): Promise<Value[]> =>
    (await sql<Record<string, Value>>(...query).execute(db)).rows.map((row) => Object.values(row)[0] as Value);

/** The only column of the first row, if there is one. */
export const findValue =
  (db: Db) =>
  async <Value>(...query: Template): Promise<Value | undefined> =>
    (await listValues(db)<Value>(...query))[0];

/** The only column of a query that always has one row, such as a count. */
export const getValue =
  (db: Db) =>
  async <Value>(...query: Template): Promise<Value> => {
    const [value] = await listValues(db)<Value>(...query);
    assert(value !== undefined, 'this query always has a row');
    return value;
  };

/** Whether a query returns a row: for a claim, whether this call made it. */
export const hasRow =
  (db: Db) =>
  async (...query: Template): Promise<boolean> =>
    (await sql(...query).execute(db)).rows.length > 0;

/** Runs a statement without a result. */
export const execute =
  (db: Db) =>
  async (...statement: Template): Promise<void> =>
    void (await sql(...statement).execute(db));

/**
 * Marks a statement that each connection keeps prepared: sql`${prepared} select …`. For the few that run hundreds of
 * times a second on a handful of rows, where planning costs more than running. Not for statements on sets, whose plan
 * depends on the number of rows.
 */
export const prepared: RawBuilder<unknown> = sql.raw('/* prepared */');

const BEGINS_WITH_MARK = /^\s*\/\* prepared \*\//;

/** Whether the text of a statement begins with that mark. */
export const isPrepared = (text: string): boolean => BEGINS_WITH_MARK.test(text);
