/** A decimal of a price with all minor digits of its currency: `12340.5` EUR is `12340.50`, 7480 JPY stays. */
export function priceAmount(amount: string, currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const [whole = '', fraction = ''] = amount.split('.');
  return digits === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}
