/** What the server writes into the page it serves. */
export type AppInfo = {
  brandName: string;
  mode: 'paper' | 'staging' | 'live';
  /** Names of the gateways. The sandbox moves no real money, in or out. */
  payments: string[];
  /** At an exchange its fee is part of every price. */
  venue: 'paper' | 'ccxt';
  /** What the app can be shown in. */
  languages: string[];
  demo: { logins: { label: string; id: string; password: string }[] } | null;
  supportEmail: string | null;
};

const defaults: AppInfo = {
  brandName: 'Tradewind',
  mode: 'paper',
  payments: ['sandbox'],
  venue: 'paper',
  languages: ['en'],
  demo: null,
  supportEmail: null,
};

function read(): AppInfo {
  const text = document.getElementById('app-info')?.textContent;
  return text ? { ...defaults, ...(JSON.parse(text) as Partial<AppInfo>) } : defaults;
}

/** Read once: the page does not change while it is open. Under the development server there is none, so defaults. */
export const appInfo: AppInfo = read();
