import type { operator } from '#contract/accounts/operator-sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { english } from '#contract/texts.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { describeDevice } from '../core/device.ts';
import { newDeviceEmail } from '../core/emails.ts';
import { missingFactor } from '../core/operator-rules.ts';
import { memberSessionLife, operatorSessionLife, type SessionLife } from '../core/session-life.ts';
import type { Member } from '../members/members.ts';
import type { Operator, OperatorFactors } from '../operators/operator-sql.ts';
import { auditOwn, type Owner, ownerColumns } from '../owner.ts';
import { insertAuthSession, insertKnownDevice } from './auth-session-sql.ts';
import { type KnownDevice, rememberDevice, type SentFrom } from './device-tokens.ts';
import { notifySecurity } from './notify-security.ts';

/** Stores a new sign-in and returns its token, of which only a hash is stored. */
async function beginSession(
  tx: Tx,
  owner: Owner,
  given: {
    readonly life: SessionLife;
    readonly device: string;
    readonly address: string;
    readonly now: Date;
    readonly knownAs: KnownDevice | undefined;
  },
): Promise<string> {
  const token = makeToken();
  await insertAuthSession(tx, {
    tokenHash: hashToken(token),
    ...ownerColumns(owner),
    device: given.device,
    deviceId: given.knownAs?.id ?? null,
    address: given.address,
    idleSeconds: given.life.isIdle ? given.life.seconds : null,
    now: given.now,
    expiresAt: new Date(given.now.getTime() + given.life.seconds * 1000),
  });
  return token;
}

export type SignedInMember = {
  readonly accessToken: string;
  readonly member: Member;
  /** For a browser that was not known before, which sends it with its next sign-ins. */
  readonly deviceToken: string | undefined;
};

/**
 * Completes every way to sign in as a member, after the last factor: session, known device, audit entry, and the
 * notification of a new device.
 */
export async function beginMemberSession(
  context: Context,
  tx: Tx,
  member: Member,
  given: SentFrom & {
    readonly remember: boolean;
    readonly secondFactor: 'app' | 'passkey' | 'recovery_code' | null;
  },
): Promise<SignedInMember> {
  const { remember, secondFactor, address } = given;
  const device = describeDevice(given.userAgent);
  const now = context.now();
  const knownAs = await rememberDevice(
    tx,
    { memberId: member.id },
    { devices: given.devices ?? [], isFull: true, now },
  );
  const session = { life: memberSessionLife(remember), device, address, now, knownAs };
  const accessToken = await beginSession(tx, { memberId: member.id }, session);
  await notifyNewDevice(context, tx, member, device);
  await auditOwn(tx, { memberId: member.id }, 'member.sign_in', { after: { device, remember, secondFactor }, address });
  return { accessToken, member, deviceToken: knownAs.token };
}

async function notifyNewDevice(context: Context, tx: Tx, member: Member, device: string): Promise<void> {
  if (!(await insertKnownDevice(tx, member.id, device, context.now()))) return;
  await notifySecurity(context, tx, {
    memberId: member.id,
    kind: 'new_device',
    message: english.t`New sign-in from ${device}. If this was not you, change your password.`,
    mail: newDeviceEmail(device),
  });
}

export type SignedInOperator = {
  readonly accessToken: string;
  readonly operator: Operator;
  /** The second factor that must be set up first; null if none is missing. */
  readonly missing: 'any' | 'passkey' | null;
  /** For a browser that was not known before, once the second factor was verified. */
  readonly deviceToken: string | undefined;
};

/** Completes every way to sign in as an operator: a session of eight hours and an audit entry. */
export async function beginOperatorSession(
  context: Context,
  tx: Tx,
  operator: Operator,
  given: SentFrom & {
    readonly secondFactor: 'app' | 'passkey' | null;
    readonly factors: OperatorFactors;
  },
): Promise<SignedInOperator> {
  const { secondFactor, address } = given;
  const device = describeDevice(given.userAgent);
  await auditOwn(tx, { operatorId: operator.id }, 'operator.sign_in', { after: { device, secondFactor }, address });
  const now = context.now();
  const owner = { operatorId: operator.id };
  const knownAs =
    secondFactor === null
      ? undefined
      : await rememberDevice(tx, owner, { devices: given.devices ?? [], isFull: true, now });
  const session = { life: operatorSessionLife, device, address, now, knownAs };
  const accessToken = await beginSession(tx, owner, session);
  const missing = missingFactor({ mode: context.config.mode, role: operator.role, ...given.factors });
  return { accessToken, operator, missing, deviceToken: knownAs?.token };
}

/** The reply of every way to sign in as an operator. */
export const showSignedIn = ({
  accessToken,
  operator: account,
  missing,
  deviceToken,
}: SignedInOperator): DataOf<typeof operator.verifyOperatorOtp> => ({
  access_token: accessToken,
  operator: { ...account, id: account.id.toString() },
  second_factor: missing === null,
  missing,
  ...(deviceToken === undefined ? {} : { device_token: deviceToken }),
});
