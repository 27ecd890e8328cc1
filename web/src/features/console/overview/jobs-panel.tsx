import type { JobHealth } from '#contract/operator/jobs.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { formatAge } from '../kit/age.ts';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { useSlowNow } from '../kit/use-slow-now.ts';

/** Those in trouble first: the rest is one line. */
export function jobChecks(jobs: readonly JobHealth[], now: number): Check[] {
  const isBroken = (job: JobHealth) => job.state === 'failing' || job.overdue;
  const broken = jobs.filter(isBroken).map((job): Check => {
    const since = job.last_success_at === null ? 'never' : `${formatAge(now - Date.parse(job.last_success_at))} ago`;
    const fault = job.last_fault === null ? '' : `, ${job.last_fault}`;
    return { key: job.name, state: 'look', words: `${job.name}: last success ${since}${fault}` };
  });
  if (jobs.length === 0) return [{ key: 'none', state: 'waits', words: 'No worker ran yet' }];
  const fine = jobs.length - broken.length;
  return fine === 0
    ? broken
    : [
        ...broken,
        {
          key: 'fine',
          state: 'done',
          words: fine === 1 ? 'One job runs as it should' : `${fine} jobs run as they should`,
        },
      ];
}

export function JobsPanel({ jobs }: { jobs: readonly JobHealth[] }) {
  const now = useSlowNow();
  return (
    <Panel title="Jobs">
      <CheckList checks={jobChecks(jobs, now)} />
    </Panel>
  );
}
