import { t } from '../../texts/t.ts';

type Box = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * The fields of a form that break their own rules, by name, and what is wrong in the words of the page. The browser's own
 * bubble is in the browser's language, goes away by itself, and is no part of the page. `data-wrong` of a field says what is
 * wrong when its pattern does not fit.
 */
export function brokenRules(form: HTMLFormElement): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const box of form.elements) {
    if (isBox(box) && box.willValidate && !box.validity.valid) faults[box.name] ??= whatIsWrong(box);
  }
  return faults;
}

function isBox(element: Element): element is Box {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

function whatIsWrong(box: Box): string {
  const { validity, type } = box;
  if (validity.valueMissing) return missing(type);
  if (validity.typeMismatch && type === 'email')
    return t('Write an e-mail address, such as ada@example.com.');
  if (validity.typeMismatch) return t('Write a whole address, such as https://shop.example.com.');
  if (validity.tooShort && box instanceof HTMLInputElement)
    return t('Write at least {least} characters.', { least: `${box.minLength}` });
  if (validity.badInput && type === 'date') return t('Write a date.');
  if (validity.badInput) return t('Write a number.');
  return box.dataset.wrong ?? outOfRange(box);
}

function missing(type: string): string {
  if (type === 'checkbox') return t('Tick this box.');
  return type === 'radio' || type === 'select-one' ? t('Choose one of these.') : t('Fill this in.');
}

function outOfRange(box: Box): string {
  if (box instanceof HTMLInputElement && box.validity.rangeUnderflow)
    return t('Not less than {least}.', { least: box.min });
  if (box instanceof HTMLInputElement && box.validity.rangeOverflow)
    return t('Not more than {most}.', { most: box.max });
  return t('This is not how it is written.');
}
