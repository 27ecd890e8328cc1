import { IconFlask } from '@tabler/icons-react';
import classes from './simulated-label.module.css';

/** Beside every block of figures while no real money is held (docs/product.md, section 1). */
export function SimulatedLabel({ simulated }: { simulated: boolean }) {
  if (!simulated) return null;
  return (
    <span className={classes.label}>
      <IconFlask size={14} stroke={1.5} aria-hidden />
      Simulated
    </span>
  );
}
