/** Shows what was typed into the field that a button belongs to, or hides it again. */
export function showPassword(button: HTMLElement): void {
  const field = document.getElementById(
    button.getAttribute('aria-controls') ?? '',
  ) as HTMLInputElement | null;
  if (!field) return;
  const isShown = field.type === 'password';
  field.type = isShown ? 'text' : 'password';
  button.ariaPressed = `${isShown}`;
}
