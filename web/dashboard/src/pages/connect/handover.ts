/** What is posted to a shop, from the page that asked the person to the one that may post there. */
export type Handover = { redirect: string; fields: { name: string; value: string }[] };

const key = 'florin.handover';

/** Leads to the page whose policy lets it post to the shop. */
export function handOver(handover: Handover): void {
  sessionStorage.setItem(key, JSON.stringify(handover));
  const { origin } = new URL(handover.redirect);
  location.replace(`/app/connect/send?${new URLSearchParams({ to: origin })}`);
}

/** What is to be posted to this origin; null: nothing. It is taken once. */
export function takeHandover(origin: string | null): Handover | null {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (text === null) return null;
  const handover = JSON.parse(text) as Handover;
  return new URL(handover.redirect).origin === origin ? handover : null;
}
