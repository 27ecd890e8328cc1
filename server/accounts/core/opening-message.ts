/**
 * What a member reads when an operator opened their account (docs/product.md, section 8).
 *
 * `openingMessage('Ida Moen', 'Ticket Q-7M2QX4')` reads `Ida Moen of support opened your account to read it: Ticket
 * Q-7M2QX4. Nothing can be changed that way.`
 */
export const openingMessage = (operatorName: string, reason: string): string =>
  `${operatorName} of support opened your account to read it: ${reason.replace(/[.]$/, '')}. Nothing can be changed that way.`;
