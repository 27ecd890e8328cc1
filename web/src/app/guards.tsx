import { Navigate, Outlet } from 'react-router';
import { useSignedIn } from '../api/sign-in-state.ts';
import { paths } from '../ui/paths.ts';

/** Public routes exist only while no token is stored (the specification, point 2). */
export function SignedOutOnly() {
  return useSignedIn() ? <Navigate to={paths.dashboard} replace /> : <Outlet />;
}
