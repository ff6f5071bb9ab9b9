{
  const { dataset, style } = document.documentElement;
  try {
    style.colorScheme = { light: 'light', dark: 'dark' }[localStorage['florin.theme']] ?? '';
  } catch {}
  const path = location.pathname.slice(4);
  if (/^\/i\/[^/]+\/test(\/|$)/.test(path)) dataset.shell = 'test';
  if (/^\/(sign-up|verify-email|reset-password|invitation|second-factor)(\/|$)/.test(path))
    dataset.shell = 'door';
}
