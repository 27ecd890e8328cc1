/**
 * How a database owner removes the last seal of a chain, with everything it covers and every trace of it, so that the
 * rest is consistent. The triggers of `tables` are disabled meanwhile.
 */
export type Cut = {
  readonly tables: readonly string[];
  readonly statements: string;
  /** The name of the chain's seals in discrepancies. */
  readonly name: string;
};

const LAST_LEDGER_SEAL = '(select max(no) from ledger.seal)';
const LAST_AUDIT_SEAL = '(select max(no) from audit.seal)';
const LAST_SNAPSHOT = '(select max(no) from solvency.snapshot)';

export const cuts: Readonly<Record<'the ledger' | 'the audit log' | 'the proofs of liabilities', Cut>> = {
  'the ledger': {
    tables: ['ledger.transfer', 'ledger.seal', 'ledger.checkpoint', 'ledger.flow_total', 'signing.signature'],
    statements: `
      create temp table cut as select * from ledger.transfer
        where tx >= coalesce((select horizon from ledger.seal order by no desc offset 1 limit 1), 0);
      update ledger.account a set balance = balance
          + coalesce((select sum(amount) from cut where from_account = a.id), 0)
          - coalesce((select sum(amount) from cut where to_account = a.id), 0)
        where id in (select from_account from cut union select to_account from cut);
      delete from ledger.flow_total where day = (select max(market_at)::date from cut) or day is null;
      delete from ledger.transfer where id in (select id from cut);
      insert into ledger.flow_total (day, from_class, to_class, reason, amount, count)
        select case when n = 1 then day end, from_class, to_class, reason, sum(amount), sum(count)
        from ledger.flows_between(0, 9000000000000000000), generate_series(1, 2) as n
        group by 1, from_class, to_class, reason
        on conflict on constraint flow_total_once do nothing;
      delete from signing.signature where chain = 'ledger' and no = ${LAST_LEDGER_SEAL};
      delete from ledger.checkpoint where seal_no = ${LAST_LEDGER_SEAL};
      delete from ledger.seal where no = ${LAST_LEDGER_SEAL};
      drop table cut`,
    name: 'seal',
  },
  'the audit log': {
    tables: ['audit.entry', 'audit.seal', 'signing.signature'],
    statements: `
      delete from audit.entry
        where tx >= coalesce((select horizon from audit.seal order by no desc offset 1 limit 1), 0);
      delete from signing.signature where chain = 'audit' and no = ${LAST_AUDIT_SEAL};
      delete from audit.seal where no = ${LAST_AUDIT_SEAL}`,
    name: 'audit seal',
  },
  'the proofs of liabilities': {
    tables: ['solvency.snapshot', 'signing.signature'],
    statements: `
      delete from solvency.node where slot = ${LAST_SNAPSHOT} % 8;
      delete from signing.signature where chain = 'liabilities' and no = ${LAST_SNAPSHOT};
      delete from solvency.snapshot where no = ${LAST_SNAPSHOT}`,
    name: 'snapshot',
  },
};

/** Wraps statements as the owner can run them: with the user triggers of these tables disabled. */
export const unguarded = (tables: readonly string[], statements: string): string =>
  ['begin', ...tables.map((table) => `alter table ${table} disable trigger user`), statements]
    .concat(tables.map((table) => `alter table ${table} enable trigger user`))
    .concat('commit;')
    .join(';\n');
