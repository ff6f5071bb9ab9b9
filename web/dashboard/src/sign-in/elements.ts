import { fill, type ValuesOf } from '../texts/fill.ts';
import { t, translated } from '../texts/t.ts';
import { type BannerTone, bannerClass, bannerWordsClass } from '../ui/feedback/banner-class.ts';
import { drawing, icons } from './drawings.ts';

// The elements of the sign-in page, which is written without React so that it is there at once.

type Attributes = Readonly<Record<string, string | boolean | undefined>>;
type Child = Node | string | null;

/** An element with its attributes and children. `true` is an attribute without a value; `null` is no child. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') made.setAttribute(name, value);
    else if (value) made.setAttribute(name, '');
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Like `t`, for a text whose values are elements of the page. */
export function rich<const Text extends string>(
  english: Text,
  ...[values]: ValuesOf<Text, Node>
): (string | Node)[] {
  return fill<Node>(translated(english), values ?? {});
}

/** The page's heading, with a sentence below it. */
export function heading(title: string, description: string | null = null): HTMLElement {
  return element(
    'header',
    { class: 'grid min-w-0 gap-1' },
    element('h1', { tabindex: '-1', class: 'text-lg font-semibold wrap-anywhere sm:text-xl' }, title),
    description === null
      ? null
      : element('p', { class: 'max-w-2xl text-sm text-pretty text-quiet' }, description),
  );
}

/** A message that concerns the whole page or form. */
export function banner(tone: BannerTone, words: string, role?: 'alert' | 'status'): HTMLElement {
  const icon = { info: icons.info, paid: icons.check, waiting: icons.alert, lost: icons.alert }[tone];
  return element(
    'div',
    { role, class: bannerClass(tone) },
    drawing(icon, 18, 'shrink-0 self-start sm:mt-px'),
    element('div', { class: bannerWordsClass }, element('div', {}, words)),
  );
}

const labels = new WeakMap<HTMLElement, readonly Node[]>();

/** While the act of a button runs, it says so, presses do nothing, and screen readers announce that it is busy. */
export function setBusy(button: HTMLElement, isBusy: boolean): void {
  // What it says while it is not busy.
  const label = labels.get(button) ?? [...button.childNodes];
  labels.set(button, label);
  if (isBusy) button.replaceChildren(t('Working…'));
  else button.replaceChildren(...label);
  for (const name of ['aria-busy', 'aria-disabled']) {
    if (isBusy) button.setAttribute(name, 'true');
    else button.removeAttribute(name);
  }
  button.classList.toggle('animate-pulse', isBusy);
}

export const isBusy = (button: HTMLElement): boolean => button.hasAttribute('aria-busy');
