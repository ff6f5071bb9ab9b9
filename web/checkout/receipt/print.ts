/** The script of a receipt: its one button prints it. Without a script the browser's menu does. */
const button = document.getElementById('print');
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
