type ErrorClass = abstract new (...args: never[]) => Error;

/**
 * Errors of the rows of a list, or other parts of a work, of which none may delay the others. They are thrown together
 * after the last.
 */
export class Faults {
  readonly #errors: unknown[] = [];

  get last(): unknown {
    return this.#errors.at(-1);
  }

  /** For tries of one work, whose first error tells enough. */
  throwFirst(): void {
    if (this.#errors.length > 0) throw this.#errors[0];
  }

  /**
   * Runs the work of one part; undefined if it failed.
   *
   * @param except the class of errors that concern all parts, which are thrown at once
   */
  async keep<T>(work: () => Promise<T>, except?: ErrorClass): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (except !== undefined && error instanceof except) throw error;
      this.#errors.push(error);
      return undefined;
    }
  }

  /**
   * @param what `Payouts that could not be followed`, whose number is added. Left out where the error of a part tells
   *   enough: a single one is then thrown as it is.
   * @throws AggregateError of all that failed, if any
   */
  throwAny(what?: string): void {
    const { length } = this.#errors;
    if (length === 1 && what === undefined) this.throwFirst();
    if (length > 0) throw new AggregateError(this.#errors, `${what ?? 'Parts that failed'}: ${length}`);
  }
}
