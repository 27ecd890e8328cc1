import { csvLines } from '#contract/csv.ts';
import { type StoredEntry, streamFoundEntries, writeAudit } from '#server/audit/index.ts';
import { type Context, onReplica } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type AuditSearch, findActorNames, nameOf, readAuditSearch } from './list-audit.ts';

/**
 * The matching entries as CSV text, newest first, streamed while they are read. The export itself, with its filter, is
 * in the audit log before the first line is written. Refuses `period_turned`.
 */
export async function writeAuditFile(
  context: Context,
  operatorId: bigint,
  search: AuditSearch,
  address: string,
): Promise<{ readonly name: string; readonly text: AsyncIterable<string> }> {
  const reading = await onReplica(context, async (chosen) => chosen);
  const found = streamFoundEntries(reading.db, readAuditSearch(search));
  await inTransaction(context.db, (tx) =>
    writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'audit.export',
      subject: 'audit',
      after: search,
      address,
    }),
  );
  const at = context.now().toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  return { name: `audit-log-${at}.csv`, text: writeLines(reading, found) };
}

const HEAD = ['Entry', 'Time', 'Actor', 'Actor ID', 'Name', 'Action', 'Subject', 'Before', 'After', 'Address', 'Seal'];

async function* writeLines({ db }: Context, found: AsyncIterable<StoredEntry[]>): AsyncGenerator<string> {
  yield csvLines([HEAD]);
  for await (const entries of found) {
    const names = await findActorNames(db, entries);
    yield csvLines(
      entries.map((entry) => [
        entry.id.toString(),
        entry.createdAt.toISOString(),
        entry.actorKind,
        entry.actorId?.toString() ?? null,
        nameOf(entry, names),
        entry.action,
        entry.subject,
        asText(entry.before),
        asText(entry.after),
        entry.address,
        entry.seal?.toString() ?? null,
      ]),
    );
  }
}

const asText = (details: unknown): string | null => (details === null ? null : JSON.stringify(details));
