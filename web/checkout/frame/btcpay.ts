import { open, type Shown } from './pop-up.ts';

/** `/modal/btcpay.js`: what plug-ins for BTCPay Server call in a shop's page, answered by the pop-up of Florin. */
let site = (document.currentScript as HTMLScriptElement).src.replace(/\/modal\/btcpay\.js.*/, '');
/** The server writes it in: the address of an invoice leads there. */
const origin = '{payOrigin}';
let invoice: Shown | undefined;
let entering = () => {};
let leaving = () => {};
let receiving = (_event: MessageEvent) => {};

function showInvoice(id: string): void {
  invoice = open(`${site}/i/${encodeURIComponent(id)}`, {
    onMessage(event) {
      if (event.data === 'loaded') entering();
      receiving(event);
    },
    onClose: () => leaving(),
    origin,
  });
}

const btcpay = {
  showInvoice,
  appendInvoiceFrame: showInvoice,
  appendAndShowInvoiceFrame: showInvoice,
  // The pop-up stands as soon as an invoice is shown.
  showFrame() {},
  hideFrame: () => invoice?.close(),
  onModalWillEnter(run: typeof entering) {
    entering = run;
  },
  onModalWillLeave(run: typeof leaving) {
    leaving = run;
  },
  onModalReceiveMessage(run: typeof receiving) {
    receiving = run;
  },
  setApiUrlPrefix(url: string) {
    site = url.replace(/\/+$/, '');
  },
};

if (!('btcpay' in window)) Object.assign(window, { btcpay });
