import { audit } from '#contract/operator/audit.ts';
import type { Context } from '#server/context.ts';
import { asFile, mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { listAudit } from './list-audit.ts';
import { writeAuditFile } from './write-audit-file.ts';

export function mountAudit(http: Http, context: Context): void {
  mount(http, audit, {
    listAudit: async ({ caller, query, address }) => {
      const { limit: _, cursor: __, format, ...search } = query;
      if (format !== 'csv') return listAudit(context, query);
      return asFile(await writeAuditFile(context, caller.operatorId, search, address));
    },
  });
}
