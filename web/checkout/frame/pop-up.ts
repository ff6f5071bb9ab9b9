/** Shows the page of a payment inside a page of a shop, whose only word for it is what the payment's page tells. */

/** What the shop's page hears. A status is a hint for what it shows: the webhook or the API says whether money came. */
export type Heard = {
  onStatus?: (status: string, invoiceId: string) => void;
  /** Once, when the frame is gone. */
  onClose?: () => void;
  /** Every message of the payment's page, and none of another. */
  onMessage?: (event: MessageEvent) => void;
  /** Where the payment's page is, if its address leads to another origin. */
  origin?: string;
};

export type Shown = { close(): void };

/** How long a page may take to come, and to say so after it came: a browser tells nobody that it refused to show one. */
const COMES_MS = 15_000;
const SPEAKS_MS = 2_000;

/** Puts the page of `payUrl` into `place`. `fail` is called where it does not come; `closable`: the page has a button for that. */
function frameIn(
  place: HTMLElement,
  payUrl: string,
  { closable, heard, end, fail }: { closable: boolean; heard: Heard; end(): void; fail(): void },
): () => void {
  const url = new URL(payUrl, location.href);
  url.pathname += '/frame';
  url.searchParams.set('parent', location.origin);
  if (closable) url.searchParams.set('close', '1');
  const frame = document.createElement('iframe');
  frame.title = url.host;
  frame.allow = 'clipboard-write';
  frame.style.cssText = 'display:block;border:0;width:100%;height:100%;opacity:0';
  frame.src = url.href;

  const hear = (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || event.origin !== (heard.origin ?? url.origin)) return;
    const { data } = event;
    if (data === 'loaded') {
      clearTimeout(timer);
      frame.onload = null;
      frame.style.opacity = '';
      if (closable) frame.focus();
    }
    if (!closable && data.height) frame.style.height = `${data.height}px`;
    if (data.status) heard.onStatus?.(data.status, data.invoiceId);
    heard.onMessage?.(event);
    if (data === 'close') end();
  };
  let timer = setTimeout(fail, COMES_MS);
  frame.onload = () => {
    clearTimeout(timer);
    timer = setTimeout(fail, SPEAKS_MS);
  };
  addEventListener('message', hear);
  place.append(frame);
  return () => {
    clearTimeout(timer);
    removeEventListener('message', hear);
    frame.remove();
  };
}

let opened: Shown | undefined;

/** Shows the page above the shop's, as high as a phone's screen; where it cannot be shown, goes to it. Closing it ends no payment. */
export function open(payUrl: string, heard: Heard = {}): Shown {
  opened?.close();
  const root = document.documentElement;
  const { overflow } = root.style;
  const dialog = document.createElement('dialog');
  const box = document.createElement('div');
  dialog.ariaLabel = new URL(payUrl, location.href).host;
  dialog.style.cssText =
    'width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:#000a;display:grid;place-items:center';
  // All of a narrow window, and a card on a wide one.
  box.style.cssText = 'width:min(100%,640px);height:clamp(min(100%,760px),(640px - 100vw)*999,100%)';
  // Until the page is there, Escape is the dialog's.
  dialog.autofocus = true;
  dialog.append(box);
  document.body.append(dialog);
  dialog.showModal();
  root.style.overflow = 'hidden';

  const close = () => {
    if (opened !== shown) return;
    opened = undefined;
    remove();
    dialog.close();
    dialog.remove();
    root.style.overflow = overflow;
    heard.onClose?.();
  };
  const shown = { close };
  opened = shown;
  dialog.addEventListener('cancel', close);
  const remove = frameIn(box, payUrl, {
    ...{ closable: true, heard, end: close },
    fail: () => {
      close();
      location.assign(payUrl);
    },
  });
  return shown;
}

/** Shows the page inside an element of the shop's, as high as its content; where it cannot be shown, a link to it. */
export function mount(place: HTMLElement, payUrl: string, heard: Heard = {}): Shown {
  const remove = frameIn(place, payUrl, {
    ...{ closable: false, heard, end: () => {} },
    fail: () => {
      remove();
      const link = document.createElement('a');
      link.href = payUrl;
      link.textContent = new URL(payUrl, location.href).host;
      place.append(link);
    },
  });
  return {
    close() {
      remove();
      heard.onClose?.();
    },
  };
}
