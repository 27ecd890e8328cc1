import { Link } from 'react-router';
import { Logo } from '../../../ui/frame/logo.tsx';
import { operatorPaths } from '../../../ui/paths.ts';
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
