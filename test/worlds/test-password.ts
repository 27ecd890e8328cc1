/** The password of all test accounts, except in tests about passwords. */
export const TEST_PASSWORD = 'a harbour at dusk';
export const OPERATOR_PASSWORD = 'gale force nine';
