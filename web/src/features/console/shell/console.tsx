import '../../../ui/frame/member.css';
import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useEffect, useRef } from 'react';
import { Link, Navigate, Route, Routes, useLocation } from 'react-router';
import { appInfo } from '../../../api/app-info.ts';
import { changeOperator, type Operator, useOperatorIfAny } from '../../../api/operator-state.ts';
import { operatorPaths } from '../../../ui/paths.ts';
import { ListState } from '../../../ui/table/list-state.tsx';
import { consolePages } from '../pages.ts';
import { InvitationPage } from '../sign-in/invitation-page.tsx';
import { SetUpPage } from '../sign-in/set-up-page.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';
import { operatorMeQuery } from './queries.ts';
import { ConsoleShell } from './shell.tsx';

const routes = consolePages.map(({ path, roles, load }) => ({
  path,
  roles,
  Page: lazy(async () => ({ default: await load() })),
}));

/**
 * The operators' console: sign-in, the mandatory setup of two-factor authentication, and the pages of a role. The
 * server enforces roles; the menu only omits what would be refused.
 */
export function OperatorConsole() {
  const operator = useOperatorIfAny();
  const { pathname, search, state } = useLocation();
  useFreshOperator(operator);
  useClearOnSignOut(operator?.id);

  if (!operator) {
    if (pathname === operatorPaths.signIn) return <SignInPage />;
    if (pathname === operatorPaths.invitation) return <InvitationPage />;
    return <Navigate to={operatorPaths.signIn} state={{ from: pathname + search }} replace />;
  }
  if (!operator.second_factor) return <SetUpPage operator={operator} />;

  const allowed = routes.filter(({ roles }) => roles.includes(operator.role));
  const first = `${operatorPaths.console}/${allowed[0]?.path ?? ''}`;
  return (
    <Routes>
      <Route path="invitation" element={<Navigate to={first} replace />} />
      <Route path="sign-in" element={<Navigate to={pathBefore(state) ?? first} replace />} />
      <Route element={<ConsoleShell operator={operator} />}>
        <Route index element={<Navigate to={first} replace />} />
        {allowed.map(({ path, Page }) => (
          <Route key={path} path={`${path}/*`} element={<Page />} />
        ))}
        <Route path="*" element={<NoPage />} />
      </Route>
    </Routes>
  );
}

function NoPage() {
  return (
    <>
      <title>{`Page not found · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        icon={IconMapQuestion}
        title="Page not found"
        action={
          <Button component={Link} to={operatorPaths.console} variant="default">
            Go to overview
          </Button>
        }
      >
        Check the address. The page may also be for another role.
      </ListState>
    </>
  );
}

/** The operator's destination: only console addresses count. */
function pathBefore(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return typeof state.from === 'string' && state.from.startsWith(`${operatorPaths.console}/`) ? state.from : undefined;
}

/** The role may have changed since the sign-in. */
function useFreshOperator(operator: Operator | undefined) {
  const { data } = useQuery({ ...operatorMeQuery, enabled: operator !== undefined });
  const applied = useRef<typeof data>(undefined);
  useEffect(() => {
    // Only a new response counts: local changes since the last one are newer.
    if (data === undefined || operator === undefined || applied.current === data) return;
    applied.current = data;
    const fresh: Operator = { ...data.operator, second_factor: data.second_factor };
    const isSame = (Object.keys(fresh) as (keyof Operator)[]).every((field) => fresh[field] === operator[field]);
    if (fresh.id === operator.id && !isSame) changeOperator(fresh);
  }, [data, operator]);
}

/** Data loaded by one operator must not be shown to the next. */
function useClearOnSignOut(operatorId: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (operatorId === undefined) client.removeQueries({ queryKey: ['operator'] });
  }, [client, operatorId]);
}
