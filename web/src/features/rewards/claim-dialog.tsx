import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { rankWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Ask } from '../../ui/forms/ask.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { useClaimReward } from './queries.ts';

type ClaimDialogProps = {
  entry: RewardRank;
  opened: boolean;
  rewards: DataOf<typeof income.listRewards>;
  onClose: () => void;
};

/** Says before the claim what becomes of it: paid now, or in line behind others, and at which place. */
export function ClaimDialog({ entry, opened, rewards, onClose }: ClaimDialogProps) {
  const claim = useClaimReward();
  const rank = rankWords[entry.rank];
  const send = () =>
    claim.mutate(entry.rank, {
      onSuccess: (claimed) => toast.success(`${rank} reward`, claimedWords(claimed)),
      onSettled: onClose,
    });
  return (
    <Ask
      opened={opened}
      onClose={onClose}
      title={`Claim the ${rank} reward?`}
      keep="Not now"
      confirm="Claim"
      busy={claim.isPending}
      busyLabel="Claiming"
      onConfirm={send}
    >
      <Outcome entry={entry} rewards={rewards} />
      <p>Each rank’s reward can be claimed once.</p>
    </Ask>
  );
}

function Outcome({ entry, rewards }: { entry: RewardRank; rewards: ClaimDialogProps['rewards'] }) {
  const reward = <b>{formatMoney(entry.reward, 'typed')}</b>;
  if (rewards.waiting === 0 && rewards.pool >= entry.reward) {
    return (
      <p>
        {reward} goes to your Profit Wallet now. The rewards pool has {formatMoney(rewards.pool)}.
      </p>
    );
  }
  return (
    <>
      <p>
        The rewards pool has {formatMoney(rewards.pool)}
        {rewards.waiting > 0 && `, and ${claimsBefore(rewards.waiting)}`}. Your {reward} waits in line at place{' '}
        {(rewards.waiting + 1).toLocaleString('en-US')}.
      </p>
      <p>
        It is paid to your Profit Wallet when fees have filled the pool, first come, first served. Nobody can say when.
      </p>
    </>
  );
}

const claimsBefore = (count: number) =>
  count === 1 ? 'one claim waits before yours' : `${count.toLocaleString('en-US')} claims wait before yours`;

function claimedWords({ state, place, reward }: RewardRank): string {
  if (state === 'paid') return `${formatMoney(reward, 'typed')} is in your Profit Wallet.`;
  return place === null ? 'Your claim is in line.' : `Your claim is in line at place ${place.toLocaleString('en-US')}.`;
}
