/**
 * Passkeys. The server says what to ask the browser for, and takes its answer as one of the page's forms, so that what
 * follows is what follows any form.
 */
type Purpose = 'sign-in' | 'sign-up' | 'add';
type Asked = {
  token: string;
  options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;
};

const walletPath = document.body.dataset.wallet ?? '';

/** Keeps the buttons where this browser makes passkeys: on https, and on the machine itself. */
export function offerPasskeys(): void {
  const parts = document.querySelectorAll<HTMLElement>('[data-passkey]');
  if (!isSecureContext || typeof PublicKeyCredential?.parseCreationOptionsFromJSON !== 'function') {
    for (const part of parts) part.remove();
    document.querySelector('[data-no-passkeys]')?.removeAttribute('data-no-passkeys');
    return;
  }
  for (const part of parts) {
    const button = part.querySelector<HTMLButtonElement>('button[data-failed]');
    // A button of a form asks once its fields are filled in; the answer of the browser is then sent with them.
    const [target, event] = button?.type === 'submit' ? [button.form, 'submit'] : [button, 'click'];
    target?.addEventListener(event, (given) => {
      given.preventDefault();
      if (button) void press(part, button);
    });
  }
}

async function press(part: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const purpose = part.dataset.passkey as Purpose;
  const form =
    purpose === 'sign-up'
      ? part.closest('form')
      : document.querySelector<HTMLFormElement>(`#passkey-${purpose}`);
  const name = form?.querySelector<HTMLInputElement>('[name=username]');
  if (!form || (name && !name.reportValidity())) return;
  button.disabled = true;
  try {
    const asked = await ask(purpose, name?.value ?? '');
    const credential = await answer(purpose, asked.options);
    fill(form, 'token', asked.token);
    fill(form, 'response', JSON.stringify(credential));
    form.submit();
  } catch {
    failed(part, button.dataset.failed ?? '');
  } finally {
    button.disabled = false;
  }
}

async function ask(purpose: Purpose, username: string): Promise<Asked> {
  const response = await fetch(`${walletPath}/passkey-options`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ purpose, username }),
  });
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as Asked;
}

async function answer(purpose: Purpose, options: Asked['options']): Promise<Credential | null> {
  if (purpose === 'sign-in') {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return await navigator.credentials.get({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return await navigator.credentials.create({ publicKey });
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const field = form.querySelector<HTMLInputElement>(`input[name=${name}]`);
  if (field) field.value = value;
}

/** Says so below the button, and to screen readers. */
function failed(part: HTMLElement, text: string): void {
  const place = part.querySelector('.failed') ?? part.appendChild(document.createElement('p'));
  place.className = 'notice bad failed';
  place.setAttribute('role', 'alert');
  place.textContent = text;
}
