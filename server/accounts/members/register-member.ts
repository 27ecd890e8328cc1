import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { english } from '#contract/texts.ts';
import { firstRecordedAt } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { openMemberAccounts } from '#server/ledger/index.ts';
import { notifyMember, queueEmail, replaceMessage, setRecipient } from '#server/notify/index.ts';
import { makeReferralCode } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { isDialCodeBlocked } from '../core/dial-code.ts';
import { registrationEmail } from '../core/emails.ts';
import { readLoginId } from '../core/login-id.ts';
import { auditOwn } from '../owner.ts';
import { refuseWeakPassword } from '../passwords/password-guesser.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { findMemberByCode, insertMember, lockReceiver, type Member, type MemberDraft } from './members.ts';

export type NewMember = {
  /** Invitation Id: the sponsor's Registered Id, or the company's code. */
  readonly referralCode: string;
  /** Dial code and ten digits joined: `+919876543210`. */
  readonly mobileNumber: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly terms?: boolean | undefined;
  readonly address?: string | undefined;
  readonly once?: Once | undefined;
};

/** With 30^8 codes, repeated collisions mean that the random numbers are broken. */
const MAX_DRAWS = 5;

/**
 * Registers a member under a sponsor: account, ledger accounts, audit entry, registration email and the notification of
 * the sponsor are one transaction (docs/product.md, section 8). Refuses `country_blocked`, `invitation_refused`,
 * `weak_password`.
 *
 * @param makeCode generates the Registered Id, again if it exists
 */
export async function registerMember(
  context: Context,
  input: NewMember,
  makeCode: () => string = makeReferralCode,
): Promise<{ memberId: bigint; referralCode: string }> {
  if (isDialCodeBlocked(input.mobileNumber, context.config.blockedDialCodes)) throw new Refused('country_blocked');
  const sponsor = await findMemberByCode(context.db, readLoginId(input.referralCode).value);
  if (sponsor === undefined || sponsor.closedAt !== null) throw new Refused('invitation_refused');
  await refuseWeakPassword(input.password, input);
  const draft = {
    sponsorId: sponsor.id,
    name: input.name,
    email: input.email,
    mobileNumber: input.mobileNumber,
    passwordHash: await hashPassword(input.password),
    termsAcceptedAt: input.terms === true ? context.now() : null,
    createdAt: context.now(),
  };
  const { id, referralCode } = await runOnce(context.db, forgetPassword(input), async (tx) => {
    // The sponsor may have closed the account while the password was hashed.
    if (!sponsor.isCompany && (await lockReceiver(tx, sponsor.id)).isClosed) throw new Refused('invitation_refused');
    const { memberId, referralCode } = await insertUnderFreeCode(tx, draft, makeCode);
    await openMemberAccounts(tx, [memberId]);
    await setRecipient(tx, { memberId, name: input.name, address: input.email });
    await auditOwn(tx, { memberId }, 'member.register', {
      after: { referralCode, sponsorId: sponsor.id, termsAccepted: input.terms === true },
      address: input.address,
    });
    const { brandName, publicUrl } = context.config;
    const signInUrl = publicUrl === undefined ? undefined : `${publicUrl}/login`;
    await queueEmail(tx, {
      memberId,
      to: { name: input.name, address: input.email },
      kind: 'signup',
      ...registrationEmail(brandName, referralCode, signInUrl),
    });
    await notifySponsor(tx, sponsor, input.name);
    return { id: String(memberId), referralCode };
  });
  return { memberId: BigInt(id), referralCode };
}

/** The hash of a body is stored beside its key: one of a password would help to guess it. */
function forgetPassword({ once, referralCode, mobileNumber, name, email }: NewMember): Once | undefined {
  const others = [referralCode, mobileNumber, name, email];
  return once && { ...once, bodyHash: hash('sha256', JSON.stringify(others), 'hex') };
}

async function insertUnderFreeCode(
  tx: Tx,
  draft: Omit<MemberDraft, 'referralCode'>,
  makeCode: () => string,
): Promise<{ memberId: bigint; referralCode: string }> {
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const referralCode = makeCode();
    const memberId = await insertMember(tx, { ...draft, referralCode });
    if (memberId !== undefined) return { memberId, referralCode };
  }
  throw new Error('no free Registered Id was drawn');
}

/** Nobody reads the company's notifications. */
async function notifySponsor(tx: Tx, sponsor: Member, name: string): Promise<void> {
  if (sponsor.isCompany) return;
  await notifyMember(tx, { memberId: sponsor.id, kind: 'team_joined', message: joinedMessage(name) });
}

const joinedMessage = (name: string): string => english.t`${name} joined your team.`;

/** Takes the name of a member who closes the account out of the sponsor's notification. The time says which one it is. */
export async function forgetJoined(
  tx: Tx,
  { id, sponsorId }: Pick<Member, 'id' | 'sponsorId'>,
  closedName: string,
): Promise<void> {
  if (sponsorId === null) return;
  const at = firstRecordedAt(sql`${`member:${id}`}`, 'member.register');
  await replaceMessage(tx, { memberId: sponsorId, kind: 'team_joined', at, message: joinedMessage(closedName) });
}
