/** Elements that the wallet script and the Pi script draw. Their content is set as text, never as HTML. */

export function buttonOf(
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
