import { Link } from 'react-router';
import { operatorPaths } from '../../../shared/paths.ts';
import { Logo } from '../../../shared/ui/logo.tsx';
import classes from './shell.module.css';

/** Says at every moment that this is not the member app. */
export function ConsoleBrand() {
  return (
    <div className={classes.brand}>
      <Link to={operatorPaths.console}>
        <Logo />
      </Link>
      <span className={classes.tag}>Operator</span>
    </div>
  );
}
