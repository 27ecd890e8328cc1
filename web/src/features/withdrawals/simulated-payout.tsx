import { IconFlask } from '@tabler/icons-react';
import classes from './withdrawals.module.css';

/** The gateway only plays payouts, and that is never hidden (docs/product.md, section 1). */
export function SimulatedPayout({ simulated }: { simulated: boolean | undefined }) {
  if (!simulated) return null;
  return (
    <span className={classes.simulated}>
      <IconFlask size={14} stroke={1.5} aria-hidden />
      Simulated payout: no money leaves
    </span>
  );
}
