import { strengthOf } from '../passwords.ts';

/** Says below each new password how hard it is to guess. The words are the field's own, in the page's language. */
export function measurePasswords(): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-strengths]')) {
    const words = field.dataset.strengths?.split('|') ?? [];
    const line = document.createElement('p');
    line.className = 'hint strength';
    line.setAttribute('role', 'status');
    const meter = document.createElement('meter');
    Object.assign(meter, { min: 0, max: 3, low: 1.5, high: 2.5, optimum: 3 });
    meter.setAttribute('aria-hidden', 'true');
    const word = document.createElement('span');
    line.append(meter, word);
    line.hidden = true;
    field.closest('.field')?.append(line);
    field.addEventListener('input', () => {
      const strength = strengthOf(field.value);
      line.hidden = field.value === '';
      meter.value = strength + 1;
      word.textContent = words[strength] ?? '';
    });
  }
}
