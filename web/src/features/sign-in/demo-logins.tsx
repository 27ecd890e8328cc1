import { Button } from '@mantine/core';
import { appInfo } from '../../api/app-info.ts';
import classes from './demo-logins.module.css';

type Login = { label: string; id: string; password: string };

/** The accounts of the demo world, to try it with; there are none outside of it. */
export function DemoLogins({ onChoose }: { onChoose: (login: Login) => void }) {
  const logins = appInfo.demo?.logins ?? [];
  if (logins.length === 0) return null;
  return (
    <section className={classes.demo} aria-label="Demo accounts">
      <h2>Demo accounts</h2>
      <ul>
        {logins.map((login) => (
          <li key={login.id}>
            <span>
              <b>{login.label}</b>
              <span className={classes.id}>
                {login.id} · {login.password}
              </span>
            </span>
            <Button size="sm" variant="default" aria-label={`Fill in ${login.label}`} onClick={() => onChoose(login)}>
              Fill in
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
