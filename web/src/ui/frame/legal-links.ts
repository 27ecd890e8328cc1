import { t } from '../../api/texts.ts';
import { paths } from '../paths.ts';

/** Pages that everybody can read. */
export const legalLinks = [
  { label: t`Terms`, to: paths.terms },
  { label: t`Privacy`, to: paths.privacy },
  { label: t`Risk`, to: paths.risk },
  { label: t`Fees`, to: paths.fees },
];
