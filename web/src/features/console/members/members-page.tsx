import { useParams } from 'react-router';
import { MemberView } from './member-view.tsx';
import { SearchPage } from './search-page.tsx';

/** The search, or the page of the one that the address names. */
export function MembersPage() {
  const { '*': rest = '' } = useParams();
  const [id, tab] = rest.split('/');
  return id ? <MemberView key={id} id={id} tab={tab} /> : <SearchPage />;
}
