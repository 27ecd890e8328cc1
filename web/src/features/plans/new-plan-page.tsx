import { useNavigate } from 'react-router';
import { paths } from '../../shared/paths.ts';
import { toast } from '../../shared/toast.ts';
import { PageHead } from '../../shared/ui/page-head.tsx';
import { TextLink } from '../../shared/ui/text-link.tsx';
import { PlanForm } from './plan-form.tsx';
import { createdWords } from './plan-words.ts';

/** Makes a plan and goes to it. */
export function NewPlanPage() {
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="New plan" facts="It trades by itself, session by session, until you pause or redeem it">
        <TextLink to={paths.plans}>Your plans</TextLink>
      </PageHead>
      <PlanForm
        onCreated={(plan) => {
          toast.success('Plan created', createdWords(plan));
          void navigate(paths.plan(plan.id));
        }}
      />
    </>
  );
}
