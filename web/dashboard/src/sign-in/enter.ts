/**
 * Opens the dashboard: at this path of it, otherwise at the last page of the person. It never resolves, so that what was
 * pressed stays busy until the dashboard is there.
 */
export function enter(next = '/'): Promise<never> {
  location.assign(`/app${next}`);
  return new Promise(() => {});
}
