import { IconScale } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OperatorRole } from '#contract/endpoint.ts';
import { formatPercent } from '../../../ui/format/percent.ts';
import { consolePath } from '../../../ui/paths.ts';
import { consolePages } from '../pages.ts';
import classes from './console-menu.module.css';
import { overviewQuery } from './overview-query.ts';

/** Assets of liabilities at every moment; under 100 % in the colour of losses. It leads to the overview. */
export function SolvencyLine({ role }: { role: OperatorRole }) {
  const { data } = useQuery(overviewQuery);
  const coverage = data?.coverage ?? null;
  const hasOverview = consolePages.some(({ path, roles }) => path === 'overview' && roles.includes(role));
  const words = `Solvency ${formatPercent(coverage === null ? null : coverage * 100)}`;
  const face = (
    <>
      <IconScale size={18} stroke={1.5} aria-hidden />
      <span>{words}</span>
    </>
  );
  const alarm = coverage !== null && coverage < 1 ? true : undefined;
  if (!hasOverview) {
    return (
      <span className={classes.solvency} data-alarm={alarm}>
        {face}
      </span>
    );
  }
  return (
    <Link className={classes.solvency} data-alarm={alarm} to={consolePath('overview')}>
      {face}
    </Link>
  );
}
