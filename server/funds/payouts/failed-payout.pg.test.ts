import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { listValues } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { KillAt, killedContext } from '#test/database/kill-at.ts';
import { nowpaymentsPayerEnv, signIpnText, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { receiveWebhook } from '../deposits/follow-deposit.ts';
import { usd } from '../funds-world.test-setup.ts';
import { nowpaymentsGateway } from '../gateways/nowpayments/gateway.ts';
import { openOfficeWorld } from '../review/review-world.test-setup.ts';
import { getOperatorWithdrawal } from '../review/show-withdrawals.ts';
import { getWithdrawal } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
const node = closeAfterAll(await startNowpayments(() => world.clock.now().getTime()));

/** A worker of its own, with its own connection to the gateway. */
const openGateway = (context: Context) =>
  nowpaymentsGateway({ ...context, config: testConfig(nowpaymentsPayerEnv(node)) });

/** The gateway's notifications about a payout, the last first and each twice, change nothing. */
async function notify(payoutId: string): Promise<void> {
  for (const status of ['FAILED', 'FAILED', 'SENDING', 'CREATING']) {
    const text = JSON.stringify({ id: `1${payoutId}`, batch_withdrawal_id: payoutId, status, currency: 'usdttrc20' });
    const { rawBody, headers } = signIpnText(node.ipnSecret, text);
    await receiveWebhook(world.context, openGateway(world.context), rawBody, headers);
  }
}

test.each([
  ['before its confirmation', 'approved'],
  ['after its confirmation', 'sent'],
] as const)(
  'a payout that fails at the gateway %s gives the money back once, wherever its worker is killed',
  async (_, state) => {
    let killed = 0;
    for (let steps = 0, isKilled = true; isKilled; steps += 1) {
      const { id, reference, member_id: memberId } = await world.addApproved(100);
      if (state === 'approved') node.interferences.push({ call: 'verifyPayout', with: 'break' });
      await payWithdrawals(world.context, [openGateway(world.context)]);
      expect(await world.withdrawal(id)).toMatchObject({ state });
      const [payout] = node.payouts.made.filter((one) => one.reference === reference);
      if (payout === undefined) return expect.unreachable('no payout');
      payout.status = 'FAILED';
      await notify(payout.id);
      expect(await world.held(memberId)).toBe(usd(100));
      world.clock.advance(10);
      const kill = new KillAt(steps);
      const dying = killedContext(world.context, kill);
      // The error of the last payout ends the run, whatever it was.
      isKilled = await followPayouts(dying, [openGateway(dying)]).then(
        () => false,
        () => kill.left < 0,
      );
      if (isKilled) killed += 1;
      await notify(payout.id);
      for (let round = 0; round < 2; round += 1) {
        world.clock.advance(600);
        await followPayouts(world.context, [openGateway(world.context)]);
        await payWithdrawals(world.context, [openGateway(world.context)]);
      }
      await notify(payout.id);
      expect([await world.held(memberId), await world.primary(memberId)]).toEqual([0n, usd(20_000)]);
      expect(node.payouts.made.filter((one) => one.reference === reference)).toHaveLength(1);
      const note = 'The payment gateway cancelled the payout.';
      const shown = await getWithdrawal(world.context, memberId, id);
      expect(shown).toMatchObject({ state: 'failed', note, transaction: null });
      expect(shown.steps.filter((step) => step.state === 'failed')).toMatchObject([{ note }]);
      expect(await getOperatorWithdrawal(world.context, [], id)).toMatchObject({
        state: 'failed',
        payout: { gateway: 'nowpayments', payout_id: payout.id },
      });
      expect(
        await listValues(world.context.db)`
        select n.kind from notify.notification n join notify.mail m on m.member_id = n.member_id and m.subject like 'Withdrawal failed%'
        where n.member_id = ${memberId} and n.kind = 'withdrawal_failed'`,
      ).toEqual(['withdrawal_failed']);
    }
    expect(killed).toBeGreaterThan(5);
    expect(await world.findings()).toEqual([]);
  },
);
