import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { type ListQuery, TableError } from './data-table-states.tsx';
import { ListState } from './list-state.tsx';

const words = {
  deposit: { missing: t`This deposit does not exist.`, list: t`Your deposits` },
  withdrawal: { missing: t`This withdrawal does not exist.`, list: t`Your withdrawals` },
};

type ItemErrorProps = {
  query: ListQuery;
  /** `deposit`: the kind of item, and the list to go back to. */
  noun: keyof typeof words;
  list: string;
};

/** A missing or foreign item is reported as not found; anything else offers a retry. */
export function ItemError({ query, noun, list }: ItemErrorProps) {
  const { error } = query;
  if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 422))
    return <TableError isList={false} query={query} />;
  return (
    <ListState
      error
      icon={IconAlertTriangle}
      title={words[noun].missing}
      action={
        <Button component={Link} to={list} variant="default">
          {words[noun].list}
        </Button>
      }
    >
      {t`The address may be mistyped. Your money is not affected.`}
    </ListState>
  );
}
