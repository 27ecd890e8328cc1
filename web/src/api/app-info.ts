/** The settings that the server embeds in the page. */
export type AppInfo = {
  brandName: string;
  mode: 'paper' | 'staging' | 'live';
  /** Staging can move real money, too. */
  money: 'simulated' | 'test' | 'real';
  /** Names of the gateways. The sandbox moves no real money, in or out. */
  payments: string[];
  /** An exchange's fee is part of every price. */
  venue: 'paper' | 'ccxt';
  /** The languages available. */
  languages: string[];
  /** Whether emails stay in the console’s outbox. */
  outbox: boolean;
  demo: { logins: { label: string; id: string; password: string }[] } | null;
  supportEmail: string | null;
  /** Null where the operator has named none. */
  legalEntity: string | null;
};

const defaults: AppInfo = {
  brandName: 'Tradewind',
  mode: 'paper',
  money: 'simulated',
  payments: ['sandbox'],
  venue: 'paper',
  languages: ['en'],
  outbox: true,
  demo: null,
  supportEmail: null,
  legalEntity: null,
};

function read(): AppInfo {
  const text = document.getElementById('app-info')?.textContent;
  return text ? { ...defaults, ...(JSON.parse(text) as Partial<AppInfo>) } : defaults;
}

/** Read once: it cannot change while the page is open. The development server embeds none, so defaults apply. */
export const appInfo: AppInfo = read();
