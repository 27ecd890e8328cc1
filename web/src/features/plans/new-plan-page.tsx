import { useNavigate } from 'react-router';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text-link.tsx';
import { PlanForm } from './plan-form.tsx';
import { createdWords } from './plan-labels.ts';

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
