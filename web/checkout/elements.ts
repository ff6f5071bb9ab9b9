/** Elements that the scripts for paying in the browser draw. What they say is set as text. */

export function pressable(
  id: string,
  onPress: () => void,
  text = '',
  className = 'button plain',
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.id = id;
  button.className = className;
  button.textContent = text;
  button.addEventListener('click', onPress);
  return button;
}

export function line(className: string, text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = className;
  paragraph.textContent = text;
  return paragraph;
}
