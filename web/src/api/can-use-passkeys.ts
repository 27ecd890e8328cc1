/** Whether this browser supports passkeys and this host may use them: an IP address never may. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window && !isNumeric(window.location.hostname);

/** `127.0.0.1`, `[::1]` */
export const isNumeric = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname);
