import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../paths.ts';
import { TextLink } from '../text/text.tsx';

type SupportLinkProps = {
  /** Where the page itself is broken, the next one is loaded afresh. */
  reloadDocument?: boolean;
};

/** The word for whom to write to: a new query for members, an address for strangers. */
export function SupportLink({ reloadDocument = false }: SupportLinkProps) {
  if (!useSignedIn()) return appInfo.supportEmail ?? 'support';
  return (
    <TextLink to={paths.newQuery} reloadDocument={reloadDocument}>
      {t`support`}
    </TextLink>
  );
}
