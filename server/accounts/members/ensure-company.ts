import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openMemberAccounts } from '#server/ledger/index.ts';
import { findCompany, insertCompany, updateCompany } from './members.ts';

const system = { kind: 'system', id: null } as const;

/**
 * At every start: the company is the first member, under whose code the first person signs up (docs/product.md,
 * section 8). Its code and name are configuration, so a changed `COMPANY_CODE` or `BRAND_NAME` changes them.
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
      // Another process made it just now, and committed before this insert could go on.
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
