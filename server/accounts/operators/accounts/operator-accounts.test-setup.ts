import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCaller } from '#server/caller.ts';
import { codeAt, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { address, firefox, openWorld } from '../../accounts-world.test-setup.ts';
import { confirmOperatorTotp, findCaller, startOperatorTotp } from '../../index.ts';
import type { AdminActor } from './decide.ts';
import { acceptInvitation } from './invitations.ts';
import { executeDueOperatorChanges, inviteOperator } from './operator-change.ts';
import { listOperators } from './show-operators.ts';

export const NEW_PASSWORD = 'seven tidal creeks';

/** A world with shorthands for what admins do about operators. */
export async function openOperators() {
  const world = await openWorld({ PUBLIC_URL: 'https://tradewind.test' });
  const { context } = world;

  /** With a fresh code, which every decision requires. */
  const actor = async (by: TestOperator): Promise<AdminActor> => ({
    operatorId: by.operatorId,
    otp: await by.code(),
    address,
  });
  const invite = async (by: TestOperator, role: OperatorRole, email = `${crypto.randomUUID()}@mail.test`) =>
    inviteOperator(context, await actor(by), { name: 'Olga Berg', email, role, why: 'more work' });
  /** The token of the newest link emailed to the address. */
  const tokenFor = async (email: string): Promise<string> => {
    const links = (await world.emailsTo(email)).flatMap(
      ({ text }) => /https:\/\/tradewind\.test\/operator\/invitation#([A-Za-z0-9_-]{43})\n/.exec(text)?.[1] ?? [],
    );
    return links.at(-1) ?? 'no link was mailed';
  };
  const accept = (token: string, password = NEW_PASSWORD) =>
    acceptInvitation(context, { token, password, userAgent: firefox, address });
  /** From the emailed link to an operator with an authenticator app. */
  const settle = async (email: string) => {
    const { accessToken, operator } = await accept(await tokenFor(email));
    const caller = (await findCaller(context, accessToken)) as OperatorCaller;
    assert(caller.kind === 'operator');
    const { secret } = await startOperatorTotp(context, operator.id, { password: NEW_PASSWORD, address });
    const otp = codeAt(base32nopad.decode(secret), context.now());
    await confirmOperatorTotp(context, caller, { otp, address });
    return { operatorId: operator.id, token: accessToken };
  };
  /** Subjects of the emails to an operator, oldest first, without the name of the product. */
  const subjectsTo = async ({ email }: { readonly email: string }): Promise<string[]> =>
    (await world.emailsTo(email)).map(({ subject }) => subject.replace('Tradewind operators: ', ''));
  const stateOf = async (email: string) => (await listOperators(context, 0n)).find((one) => one.email === email)?.state;
  const executeDue = () => executeDueOperatorChanges(context);
  return {
    ...world,
    actor,
    invite,
    tokenFor,
    accept,
    settle,
    subjectsTo,
    stateOf,
    executeDue,
    make: (role: OperatorRole) => makeOperator(context, role),
  };
}
