/** The language of the page as this customer writes it: a page in English has American times only for Americans. */
function tag(): string {
  const { lang } = document.documentElement;
  const [own = ''] = navigator.language.split('-u-');
  return `${own.split('-')[0] === lang ? own : lang}-u-nu-latn`;
}

/** A time in this browser's zone; without its day where that is today, unless it `isFull`. */
export function timeOf(date: Date, now: number, isFull = false): string {
  const isToday = date.toDateString() === new Date(now).toDateString();
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const options = { hour: 'numeric', minute: '2-digit', ...(isFull || !isToday ? day : {}) } as const;
  return new Intl.DateTimeFormat(tag(), options).format(date);
}

/** A length of time in whole minutes, seconds below one and hours from an hour and a half on; never more than there is. */
export function lengthOf(ms: number, unitDisplay: 'short' | 'long'): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, length] =
    seconds < 60 ? ['second', 1] : seconds < 5400 ? ['minute', 60] : (['hour', 3600] as const);
  const style = { style: 'unit', unit, unitDisplay } as const;
  return new Intl.NumberFormat(tag(), style).format(Math.floor(seconds / (length as number)));
}
