/** Of everybody who lives for one test, unless it is about passwords. */
export const TEST_PASSWORD = 'a harbour at dusk';
export const OPERATOR_PASSWORD = 'gale force nine';
