import { IconFlask } from '@tabler/icons-react';
import { appInfo } from '../../../api/app-info.ts';
import classes from '../funds.module.css';

/** Said wherever the sandbox is the gateway: the mode is never hidden (docs/product.md, section 1). */
export function SandboxLabel() {
  if (appInfo.payments !== 'sandbox') return null;
  return (
    <span className={classes.sandbox}>
      <IconFlask size={14} stroke={1.5} aria-hidden />
      Sandbox payments: no real money moves
    </span>
  );
}
