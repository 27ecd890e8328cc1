import assert from 'node:assert';
import { freezeMember, mountIdentity, registerMember } from '#server/accounts/index.ts';
import { signInMember } from '#server/accounts/sign-in/sign-in-member.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forfeitRemainder } from '#server/funds/index.ts';
import type { Http } from '#server/http/server.ts';
import { post } from '#server/ledger/index.ts';
import { TEST_PASSWORD } from './test-password.ts';

export { TEST_PASSWORD };

/** Signs up a member under the company, or another sponsor, and signs them in. */
export async function signUp(context: Context, options: { sponsorCode?: string; name?: string; email?: string } = {}) {
  const { memberId, referralCode } = await registerMember(context, {
    referralCode: options.sponsorCode ?? context.config.companyCode,
    mobileNumber: '+919876543210',
    name: options.name ?? 'Mira Lund',
    email: options.email ?? 'mira@example.com',
    password: TEST_PASSWORD,
  });
  const signedIn = await signInMember(context, {
    loginId: referralCode,
    password: TEST_PASSWORD,
    userAgent: 'test',
    address: '127.0.0.1',
  });
  assert('accessToken' in signedIn);
  return { memberId, referralCode, token: signedIn.accessToken };
}

/** Credits the primary wallet as a deposit does. */
export async function giveFunds(
  context: Context,
  memberId: bigint,
  amountMicros: bigint,
  key = `test/${memberId}/${amountMicros}`,
) {
  await inTransaction(context.db, (tx) =>
    post(tx, [
      {
        key,
        from: { class: 'gateway' },
        to: { memberId, class: 'primary' },
        amountMicros,
        reason: 'deposit',
        reference: 'test',
        marketAt: context.now(),
      },
    ]),
  );
}

/** Freezes a member as the system does. */
export const freeze = ({ db, now }: Pick<Context, 'db' | 'now'>, memberId: bigint) =>
  inTransaction(db, (tx) =>
    freezeMember(tx, { memberId, actor: { kind: 'system', id: null }, why: 'test', now: now() }),
  );

/** The calls of accounts without later domains: no member has a payout address. `testApp(context, mountAccounts)` */
export const mountAccounts = (http: Http, context: Context): void =>
  mountIdentity(http, context, {
    findAddress: async () => null,
    sections: () => [],
    closing: [],
    forfeit: forfeitRemainder,
  });
