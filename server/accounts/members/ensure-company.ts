import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openMemberAccounts } from '#server/ledger/index.ts';
import { findCompany, insertCompany, updateCompany } from './members.ts';

const system = { kind: 'system', id: null } as const;

/**
 * Runs at every start: creates the company as the first member, whose code the first person signs up with
 * (docs/product.md, section 8), or updates its code and name from `COMPANY_CODE` and `BRAND_NAME`.
 *
 * @returns the company's member id
 */
export function ensureCompany(context: Context): Promise<bigint> {
  const { companyCode, brandName } = context.config;
  return inTransaction(context.db, async (tx) => {
    const before = await findCompany(tx);
    if (before === undefined) {
      const draft = { referralCode: companyCode, name: brandName, createdAt: context.now() };
      const id = await insertCompany(tx, draft);
      // Another process created it concurrently; this insert waited for its commit.
      if (id === undefined)
        return (
          (await findCompany(tx))?.id ??
          Promise.reject(new Error(`COMPANY_CODE ${companyCode} is the Registered Id of a member`))
        );
      await openMemberAccounts(tx, [id]);
      await writeAudit(tx, {
        actor: system,
        action: 'company.create',
        subject: `member:${id}`,
        after: { companyCode },
      });
      return id;
    }
    if (before.referralCode !== companyCode || before.name !== brandName) {
      await updateCompany(tx, before.id, companyCode, brandName);
      await writeAudit(tx, {
        actor: system,
        action: 'company.update',
        subject: `member:${before.id}`,
        before: { companyCode: before.referralCode, brandName: before.name },
        after: { companyCode, brandName },
      });
    }
    return before.id;
  });
}
