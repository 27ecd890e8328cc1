import { useLocation, useSearchParams } from 'react-router';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { readAbout } from './about.ts';
import classes from './new-query.module.css';
import { NewQueryForm } from './new-query-form.tsx';

/** A new question; what it is about stands in the address (`?about=trade:17`). */
export function NewQueryPage() {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  return (
    <>
      <PageHead title="New query" facts="A person of our support answers you here" />
      <Panel className={classes.panel ?? ''}>
        <NewQueryForm
          about={readAbout(search, state)}
          onDropAbout={() => setSearch({}, { replace: true, preventScrollReset: true })}
        />
      </Panel>
    </>
  );
}
