// Opens the payment above this page, where the customer has asked for that.
const here = document.querySelector('a[data-florin]');
if (here && window.florin && new URLSearchParams(location.search).has('pay')) {
  history.replaceState(null, '', location.pathname);
  window.florin.open(here.href);
}

// Keeps an open order's page true: asks every two seconds, and at once when the customer comes back to the tab.
const shown = document.querySelector('[data-state]')?.dataset.state;
const address = `${location.pathname}/state`;

async function check() {
  const response = await fetch(address, { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok && (await response.text()) !== shown) location.reload();
}

setInterval(check, 2000);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check());
addEventListener('pageshow', (event) => event.persisted && check());
