import { formatPercent } from '../../shared/format/percent.ts';
import classes from './negative-members.module.css';

/** Shown wherever results are shown (product.md section 1); nothing is said while nobody has a settled trade. */
export function NegativeMembers({ share }: { share: number | null }) {
  if (share === null) return null;
  return <p className={classes.line}>{formatPercent(share * 100)} of members have a negative trading result.</p>;
}
