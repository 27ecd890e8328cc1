import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../paths.ts';
import { TextLink } from '../text/text.tsx';

type SupportLinkProps = {
  /** Loads the next page afresh where the current one is broken. */
  reloadDocument?: boolean;
};

/** Link to support: a new query for members, an email address for everyone else. */
export function SupportLink({ reloadDocument = false }: SupportLinkProps) {
  if (!useSignedIn()) return appInfo.supportEmail ?? 'support';
  return (
    <TextLink to={paths.newQuery} reloadDocument={reloadDocument}>
      {t`support`}
    </TextLink>
  );
}
