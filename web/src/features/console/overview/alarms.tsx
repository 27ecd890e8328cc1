import { IconAlertTriangle, IconHandStop, IconShieldX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Overview } from '#contract/operator/overview.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';

type Alarm = { key: string; icon: ReactNode; title: string; text: string };

const icon = { size: 20, stroke: 1.5 } as const;

/** What is wrong, the worst first; nothing when nothing is. */
export function alarmsOf(overview: Overview): Alarm[] {
  const { coverage, surplus, integrity, payouts, queues, feed, session, venue, jobs } = overview;
  const alarms: Alarm[] = [];
  if (coverage !== null && coverage < 1) {
    alarms.push({
      key: 'cover',
      icon: <IconAlertTriangle {...icon} />,
      title: 'More is owed than is held',
      text: `${formatMoney(-surplus, 2)} is missing. Payouts, weekly and monthly incomes wait until the books are right.`,
    });
  }
  for (const { cause, why, raised_at } of integrity.alarms) {
    alarms.push({
      key: `${cause} ${raised_at}`,
      icon: <IconShieldX {...icon} />,
      title: cause === 'solvency' ? 'Solvency alarm' : 'The books do not add up',
      text: `${formatDateTime(raised_at)}: ${why}`,
    });
  }
  if (payouts.stopped) {
    alarms.push({
      key: 'payouts',
      icon: <IconHandStop {...icon} />,
      title: 'Payouts are stopped',
      text: [payouts.at && `Since ${formatDateTime(payouts.at)}.`, payouts.why].filter(Boolean).join(' '),
    });
  }
  if (session.halt !== null) {
    alarms.push({
      key: 'halt',
      icon: <IconHandStop {...icon} />,
      title: 'Trading is halted',
      text: `Since ${formatDateTime(session.halt.at)}. ${session.halt.reason}`,
    });
  }
  const uncertain = queues.withdrawals.find(({ state }) => state === 'uncertain')?.count ?? 0;
  if (uncertain > 0) {
    alarms.push({
      key: 'uncertain',
      icon: <IconAlertTriangle {...icon} />,
      title: uncertain === 1 ? 'One payout is uncertain' : `${uncertain} payouts are uncertain`,
      text: 'Somebody has to look at the gateway: nobody knows whether they left.',
    });
  }
  if (feed.stale) {
    alarms.push({
      key: 'feed',
      icon: <IconAlertTriangle {...icon} />,
      title: 'Prices are stale',
      text: 'No trade opens or settles until prices come again.',
    });
  }
  if (venue.state === 'down') {
    alarms.push({
      key: 'venue',
      icon: <IconAlertTriangle {...icon} />,
      title: 'The venue does not answer',
      text: venue.reason ?? 'It gave no reason.',
    });
  }
  const broken = jobs.filter((job) => job.state === 'failing' || job.overdue);
  if (broken.length > 0) {
    alarms.push({
      key: 'jobs',
      icon: <IconAlertTriangle {...icon} />,
      title: broken.length === 1 ? 'One job is in trouble' : `${broken.length} jobs are in trouble`,
      text: broken.map(({ name }) => name).join(', '),
    });
  }
  return alarms;
}

/** Rose, above everything else: somebody has to do something about each of them. */
export function Alarms({ overview }: { overview: Overview }) {
  return alarmsOf(overview).map(({ key, icon: sign, title, text }) => (
    <Banner key={key} tone="loss" icon={sign} title={title}>
      {text}
    </Banner>
  ));
}
