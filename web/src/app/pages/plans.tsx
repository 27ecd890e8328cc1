import { CompoundingHistoryPage } from '../../features/plans/compounding-history-page.tsx';
import { PlanPage } from '../../features/plans/plan-page.tsx';
import { PlansPage } from '../../features/plans/plans-page.tsx';
import { useNegativeMembers } from '../../features/portfolio/queries.ts';

export const PlansWithNote = () => <PlansPage note={useNegativeMembers()} />;
export const PlanWithNote = () => <PlanPage note={useNegativeMembers()} />;
export const CompoundingHistoryWithNote = () => <CompoundingHistoryPage note={useNegativeMembers()} />;
