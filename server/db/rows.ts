import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** What a query needs: the database or an open transaction of it. */
type Db = QueryExecutorProvider;

type Template = Parameters<typeof sql>;

/** All rows of a query: `listRows(db)` stands before the text where `sql` would, and the rows' type is that of the result. */
export const listRows =
  (db: Db) =>
  async <Row>(...query: Template): Promise<Row[]> =>
    (await sql<Row>(...query).execute(db)).rows;

/** Its first row, if it has one. */
export const findRow =
  (db: Db) =>
  async <Row>(...query: Template): Promise<Row | undefined> =>
    (await sql<Row>(...query).execute(db)).rows[0];

/** The row of a query that always has one, as a sum does. */
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

/** Whether a query returns anything: of a claim, whether this call made it. */
export const hasRow =
  (db: Db) =>
  async (...query: Template): Promise<boolean> =>
    (await sql(...query).execute(db)).rows.length > 0;

/** Runs a statement of which nothing is asked back. */
export const execute =
  (db: Db) =>
  async (...statement: Template): Promise<void> =>
    void (await sql(...statement).execute(db));

/**
 * The first words of a statement that each connection keeps prepared: sql`${prepared} select …`. For the few that run
 * hundreds of times a second and always touch a handful of rows: planning them anew costs more than running them. Not
 * for statements on sets, whose plan must fit how many rows there are this time.
 */
export const prepared: RawBuilder<unknown> = sql.raw('/* prepared */');

const BEGINS_WITH_MARK = /^\s*\/\* prepared \*\//;

/** Whether the text of a statement begins with that mark. */
export const isPrepared = (text: string): boolean => BEGINS_WITH_MARK.test(text);
