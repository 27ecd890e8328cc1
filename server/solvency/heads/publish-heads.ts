import { HEADS_FORMAT, type PublishedHeads, publishedBytes } from '#contract/solvency/heads.ts';
import { english } from '#contract/texts.ts';
import { listMailedOperators } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { emailOperators } from '#server/notify/index.ts';
import { fingerprintOf, type SealKey } from '#server/signing/index.ts';
import { hourOf, insertDelivery, insertPublished, isPublished, isPublishedSince } from './heads-sql.ts';
import { readHeads } from './read-heads.ts';

const { t } = english;

/**
 * Publishes the newest seal of each chain, signed, once an hour: on /solvency, to ANCHOR_URL, and the first of each UTC
 * day by email to operators. A saved copy proves later whether everything up to it is unchanged (`npm run ledger:verify
 * -- --heads FILE`). Runs every minute, so that a missed start of an hour is made up for.
 *
 * @returns the published heads; undefined if the hour has them already, nothing is sealed, or this process has no key
 */
export async function publishHeads(context: Context): Promise<PublishedHeads | undefined> {
  const { db, config, now, sealKey } = context;
  const at = now();
  const hour = hourOf(at);
  if (sealKey === undefined || (await isPublished(db, hour))) return undefined;
  return inTransaction(db, async (tx) => {
    const heads = await readHeads(tx);
    if (heads.length === 0) return undefined;
    const document = signHeads(sealKey, heads, at);
    const isFirstOfDay = !(await isPublishedSince(tx, startOfDay(at)));
    if (!(await insertPublished(tx, hour, document))) return undefined;
    if (config.anchorUrl !== undefined) await insertDelivery(tx, hour);
    if (isFirstOfDay) await emailHeads(context, tx, document);
    return document;
  });
}

function signHeads({ key }: SealKey, heads: PublishedHeads['heads'], at: Date): PublishedHeads {
  const fields = { published_at: at.toISOString(), heads };
  return {
    format: HEADS_FORMAT,
    ...fields,
    public_key: key.publicKey,
    fingerprint: fingerprintOf(key.publicKey),
    signature: key.sign(publishedBytes(fields)),
  };
}

const startOfDay = (at: Date): Date => new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);

async function emailHeads({ config }: Context, tx: Tx, document: PublishedHeads): Promise<void> {
  const day = document.published_at.slice(0, 10);
  const text = [
    t`These are the newest seals of ledger, audit log and proof of liabilities.`,
    t`Keep this email outside the installation. If these seals, or anything before them, are removed or changed later, this command finds it:`,
    'npm run ledger:verify -- --heads FILE',
    t`FILE is this text saved as a file. It proves nothing about what came after these seals.`,
    t`Fingerprint of the key that signed: ${document.fingerprint}`,
    JSON.stringify(document),
  ].join('\n\n');
  await emailOperators(tx, await listMailedOperators(tx), {
    subject: t`${config.brandName}: seals of ${day}`,
    text: `${text}\n`,
  });
}
