import { findSponsorName, registerMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { createDeposit, payInSandbox } from '#server/funds/index.ts';
import { Refused } from '#server/refused.ts';
import { actAsOperators } from './act-as-operators.ts';
import { correctWallets } from './correct-wallets.ts';
import { fillSecondPersonQueue } from './fill-second-person-queue.ts';
import { limitThinCoins } from './limit-thin-coins.ts';
import { type DemoConsoleLogin, ensureDemoAdmins } from './make-operators.ts';
import { makeDemoTickets } from './make-tickets.ts';
import { askForFirstPayout, beforeToday, depositOtherwise, saveDemoAddress, withdrawInDemo } from './move-money.ts';
import { demoPassword, demoPeople, firstPayout } from './people.ts';
import { playDemoSessions } from './play-sessions.ts';
import { stateReserves } from './state-reserves.ts';

export type DemoWorld = {
  readonly logins: readonly { label: string; id: string; password: string }[];
  /** Not for the login page: the console reads other people's data. */
  readonly console: readonly DemoConsoleLogin[];
};

const MOBILE = '+919812345678';

/**
 * A funded member with a team, past sessions, open trades, deposits and withdrawals of every kind and two tickets, all
 * made through members' own operations, so that a newcomer sees a living product. Paper mode only; server/config.ts
 * refuses it in live mode. An existing world is left unchanged.
 */
export async function makeDemoWorld(context: Context): Promise<DemoWorld> {
  if (!(await exists(context))) await make(context);
  const [anika, ravi] = demoPeople;
  return {
    console: await ensureDemoAdmins(context),
    logins: [anika, ravi].flatMap((person) =>
      person ? [{ label: person.name, id: person.code, password: demoPassword }] : [],
    ),
  };
}

async function exists(context: Context): Promise<boolean> {
  try {
    await findSponsorName(context, demoPeople[0]?.code ?? '');
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

async function make(context: Context): Promise<void> {
  context.log.info('creating demo world');
  const memberIds = new Map<string, bigint>();
  for (const person of demoPeople) {
    const { memberId } = await registerMember(
      beforeToday(context),
      {
        referralCode: person.sponsor ?? context.config.companyCode,
        mobileNumber: MOBILE,
        name: person.name,
        email: person.email,
        password: demoPassword,
        terms: true,
      },
      () => person.code,
    );
    memberIds.set(person.code, memberId);
    if (person === demoPeople[0]) {
      await saveDemoAddress(context, memberId);
      await depositOtherwise(context, memberId);
    }
    for (const amount of person.depositsDollars) await deposit(context, memberId, amount);
  }
  await playDemoSessions(context, memberIds);
  const anika = memberIds.get(demoPeople[0]?.code ?? '') as bigint;
  const { payer, reader } = await withdrawInDemo(context, anika);
  await askForFirstPayout(context, memberIds.get(firstPayout.code) as bigint);
  const supportId = await makeDemoTickets(context, anika);
  await correctWallets(context, [reader.operatorId, payer.operatorId], memberIds);
  await actAsOperators(context, anika);
  await fillSecondPersonQueue(context, { financeId: reader.operatorId, supportId }, memberIds);
  await limitThinCoins(context, payer.operatorId, reader.operatorId);
  await stateReserves(context, reader.operatorId);
}

async function deposit(context: Context, memberId: bigint, amount: number): Promise<void> {
  const { id } = await createDeposit(context, memberId, { amount, risk_accepted: true }, undefined);
  await payInSandbox(context, { depositId: BigInt(id) }, 'full');
}
