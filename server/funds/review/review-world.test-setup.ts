import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { WalletType } from '#contract/rules.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getBalances, verifyLedger } from '#server/ledger/index.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { checkFunds } from '../check-funds.ts';
import { type FundsWorld, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { releaseWithdrawals } from '../withdrawals/freeze-withdrawals.ts';
import { admitWithdrawal, holdWithdrawal } from '../withdrawals/request-withdrawal.ts';
import { saveAddress } from '../withdrawals/save-address.ts';
import { findWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';

const addresses: Record<PayoutNetwork, string> = {
  TRC20: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  BEP20: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ERC20: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  BTC: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};

export type OfficeWorld = FundsWorld & {
  readonly finance: TestOperator;
  readonly second: TestOperator;
  /** A member who may withdraw, with this much in each wallet. */
  readonly addWithdrawer: (dollars?: number, network?: PayoutNetwork) => Promise<bigint>;
  /** A requested withdrawal, by default of a new member and from the primary wallet. */
  readonly addRequested: (
    dollars: number,
    of?: { memberId?: bigint; network?: PayoutNetwork; wallet?: WalletType },
  ) => Promise<WithdrawalRow>;
  readonly addApproved: (dollars: number, network?: PayoutNetwork) => Promise<WithdrawalRow>;
  readonly withdrawal: (id: bigint) => Promise<WithdrawalRow>;
  /** The current version of a withdrawal with a fresh code, as input of a decision. */
  readonly seen: (
    id: bigint,
    operator?: TestOperator,
  ) => Promise<{ withdrawalId: bigint; version: number; otp: string }>;
  /** Resumes the member's withdrawals, as approved by two operators. */
  readonly release: (memberId: bigint) => Promise<void>;
  readonly held: (memberId: bigint) => Promise<bigint>;
  /** All discrepancies of the ledger. */
  readonly findings: () => Promise<string[]>;
};

let gifts = 0;

/** Members with usable addresses, and two operators with authenticator apps. */
export async function openOfficeWorld(env: Record<string, string> = {}): Promise<OfficeWorld> {
  const world = await openFundsWorld(env);
  const { context, clock } = world;
  const finance = await makeOperator(context, 'finance');
  const second = await makeOperator(context, 'admin');

  const release = async (memberId: bigint) => {
    const actor = { kind: 'operator', id: finance.operatorId } as const;
    await inTransaction(context.db, (tx) => releaseWithdrawals(tx, { memberId, actor, why: 'called', loosening: 1n }));
  };
  const addWithdrawer = async (dollars = 20_000, network: PayoutNetwork = 'TRC20') => {
    const memberId = await world.addMember();
    gifts += 1;
    await giveFunds(context, memberId, usd(dollars), `test/${gifts}`);
    const earlier = { ...context, now: () => new Date(clock.now().getTime() - 25 * 3_600_000) };
    await inTransaction(context.db, (tx) =>
      saveAddress(tx, earlier, { memberId, network, address: addresses[network] }),
    );
    return memberId;
  };
  const addRequested: OfficeWorld['addRequested'] = async (dollars, { memberId, network, wallet = 'primary' } = {}) => {
    const order = {
      memberId: memberId ?? (await addWithdrawer(undefined, network)),
      amountMicros: usd(dollars),
      wallet,
    };
    return inTransaction(context.db, async (tx) => {
      const row = await admitWithdrawal(tx, context, order);
      await holdWithdrawal(tx, context, row);
      return row;
    });
  };
  const withdrawal = async (id: bigint) =>
    (await findWithdrawal(context.db, id)) ?? Promise.reject(new Error('no such withdrawal'));
  const seen: OfficeWorld['seen'] = async (withdrawalId, operator = finance) => ({
    withdrawalId,
    version: (await withdrawal(withdrawalId)).version,
    otp: await operator.code(),
  });
  return {
    ...world,
    finance,
    second,
    addWithdrawer,
    addRequested,
    release,
    addApproved: async (dollars, network) => {
      const { id } = await addRequested(dollars, network === undefined ? {} : { network });
      return approveWithdrawal(context, actorOf(finance), await seen(id));
    },
    withdrawal,
    seen,
    held: async (memberId) => (await getBalances(context.db, memberId)).withdrawal_hold,
    findings: async () =>
      [...(await verifyLedger(context.db)), ...(await checkFunds(context.db))].map(
        ({ subject, message }) => `${subject}: ${message}`,
      ),
  };
}

/** A gateway that counts calls and lets the test intercept them. */
export function watched(gateway: Gateway, calls: Partial<Gateway> = {}): Gateway & { readonly asked: string[] } {
  const asked: string[] = [];
  const over = { ...gateway, ...calls };
  return {
    ...over,
    asked,
    findPayout: async (order) => {
      asked.push(`find ${order.reference}`);
      return over.findPayout(order);
    },
    createPayout: async (order) => {
      asked.push(`create ${order.reference}`);
      return over.createPayout(order);
    },
    getPayout: async (payoutId, order) => {
      asked.push(`get ${payoutId}`);
      return over.getPayout(payoutId, order);
    },
  };
}
