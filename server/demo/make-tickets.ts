import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { registerOperator } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { listStatement, type StatementLine } from '#server/ledger/index.ts';
import { closeTicket, createTicket, getTicketThread, markTicketRead, replyAsOperator } from '#server/tickets/index.ts';
import { demoOrigin } from './make-operators.ts';

const MINUTE_MS = 60_000;

/**
 * Two tickets of a member with a rejected withdrawal: one from hours ago with an attachment, answered, read and closed,
 * and one of the last minutes with an unread answer. Nobody can sign in as the operator who answers.
 *
 * @returns that support operator
 */
export async function makeDemoTickets(context: Context, memberId: bigint): Promise<bigint> {
  const operatorId = await registerOperator(context, {
    name: 'Devika Menon',
    email: 'devika.menon@tradewind.example',
    role: 'support',
    password: randomBytes(24).toString('base64url'),
  });
  const begun = context.now().getTime();
  const ago = (minutes: number): Context => ({ ...context, now: () => new Date(begun - minutes * MINUTE_MS) });
  const answer = (minutes: number, ticketId: bigint, message: string) =>
    replyAsOperator(ago(minutes), { operatorId, address: demoOrigin.address }, { ticketId, message, private: false });

  const settled = await ask(ago(170), memberId, {
    subject: 'Deposit expired before I paid',
    category: 'deposit',
    message:
      'I started a deposit of 800 dollars this morning and did not pay it. Nothing left my wallet, its statement is attached. Can I still pay it?',
    attachments: [
      {
        name: 'wallet statement.pdf',
        type: 'application/pdf',
        content: makeStatement(['Wallet statement', 'Owner: Anika Rao', 'Payments today: none']).toString('base64'),
      },
    ],
  });
  await answer(
    158,
    settled,
    'Hello Anika, please do not: it expired unpaid. Make a new deposit, its page is open for an hour.',
  );
  await readAll(ago(150), memberId, settled);
  await closeTicket(ago(150), memberId, settled);

  const rejected = await findRejected(context, memberId);
  const waiting = await ask(ago(4), memberId, {
    subject: 'Why was my withdrawal rejected?',
    category: 'withdrawal',
    message: `${rejected.reference} came back to my wallet. What do you need from me?`,
    about: { kind: 'movement', id: rejected.position.toString() },
  });
  await answer(2, waiting, 'Hello Anika, please tell us where the deposit of today came from. A sentence is enough.');
  await answer(1, waiting, 'Then ask for the withdrawal again, and one of us looks at it at once.');
  return operatorId;
}

async function ask(context: Context, memberId: bigint, input: Parameters<typeof createTicket>[2]): Promise<bigint> {
  return BigInt((await createTicket(context, memberId, input)).id);
}

async function readAll(context: Context, memberId: bigint, ticketId: bigint): Promise<void> {
  const { messages } = await getTicketThread(context, memberId, ticketId);
  await markTicketRead(context, memberId, { ticketId, upTo: BigInt(messages.at(-1)?.id ?? 0) });
}

/** The oldest released withdrawal, which is the rejected one. */
async function findRejected({ db }: Context, memberId: bigint): Promise<StatementLine> {
  const lines = await listStatement(db, { memberId, classes: ['primary'], reasons: ['withdrawal_release'], limit: 10 });
  const line = lines.at(-1);
  assert(line, 'a withdrawal of the member was rejected');
  return line;
}

/** A one-page PDF of plain lines, so that the demo world has a realistic attachment. */
function makeStatement(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) '`).join('\n');
  const page = `BT /F1 12 Tf 40 250 Td 20 TL\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 298] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}
