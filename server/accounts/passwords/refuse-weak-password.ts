import { Refused } from '#server/refused.ts';
import type { KnownAboutPerson } from '../core/weak-password.ts';
import { isEasyToGuess } from './password-guesser.ts';

/** Every way to a password passes here. Refusal: `weak_password`. */
export async function refuseWeakPassword(password: string, person: KnownAboutPerson): Promise<void> {
  if (await isEasyToGuess(password, person)) throw new Refused('weak_password');
}
