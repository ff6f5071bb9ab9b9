import { Type } from 'typebox';

// The shapes of the door's answers, as the public description of that API has them. Further fields may stand beside.

const text = Type.String();
const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });
const seconds = Type.Integer({ minimum: 0 });
const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

export const Problem = Type.Object({ code: text, message: text });
export const Faults = Type.Array(Type.Object({ path: text, message: text }), { minItems: 1 });

export const ServerInfo = Type.Object({
  version: Type.String({ pattern: '^1\\.1[3-9]\\.\\d+$' }),
  onion: text,
  supportedPaymentMethods: Type.Array(text),
  fullySynched: Type.Boolean(),
  syncStatus: Type.Array(Type.Object({})),
});
export const Health = Type.Object({ synchronized: Type.Boolean() });
export const ApiKey = Type.Object({ apiKey: text, label: text, permissions: Type.Array(text) });
export const Store = Type.Object({
  ...{ id: text, name: text, website: maybe(text), defaultCurrency: text, speedPolicy: text },
  ...{ invoiceExpiration: seconds, monitoringExpiration: seconds, paymentTolerance: Type.Number() },
  archived: Type.Boolean(),
});
export const PaymentMethods = Type.Record(
  text,
  Type.Object({ enabled: Type.Boolean(), cryptoCode: text, paymentMethod: text }),
);
export const Rates = Type.Array(
  Type.Object({ currencyPair: text, errors: Type.Array(text), rate: maybe(decimal) }),
);

export const Invoice = Type.Object({
  ...{ id: text, storeId: text, amount: decimal, currency: text, checkoutLink: text },
  type: Type.Enum(['Standard', 'TopUp']),
  ...{ createdTime: seconds, expirationTime: seconds, monitoringExpiration: seconds },
  status: Type.Enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled']),
  additionalStatus: Type.Enum(['None', 'PaidLate', 'PaidPartial', 'Marked', 'Invalid', 'PaidOver']),
  availableStatusesForManualMarking: Type.Array(Type.Enum(['Invalid', 'Settled'])),
  archived: Type.Boolean(),
  metadata: Type.Object({}),
  checkout: Type.Object({
    speedPolicy: Type.Enum(['HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed']),
    paymentMethods: Type.Array(text),
    defaultPaymentMethod: maybe(text),
    ...{ expirationMinutes: seconds, monitoringMinutes: seconds, paymentTolerance: Type.Number() },
    ...{ redirectURL: maybe(text), redirectAutomatically: Type.Boolean(), defaultLanguage: maybe(text) },
  }),
  receipt: Type.Object({ enabled: maybe(Type.Boolean()) }),
});
export const Invoices = Type.Array(Invoice);

const Payment = Type.Object({
  ...{ id: text, receivedDate: seconds, value: decimal, fee: decimal, destination: text },
  status: Type.Enum(['Invalid', 'Processing', 'Settled']),
});
export const InvoiceMethods = Type.Array(
  Type.Object({
    ...{ paymentMethod: text, paymentMethodId: text, cryptoCode: text, currency: text, destination: text },
    ...{ rate: decimal, paymentMethodPaid: decimal, totalPaid: decimal, due: decimal, amount: decimal },
    ...{ networkFee: decimal, paymentMethodFee: decimal, paymentLink: maybe(text) },
    ...{ payments: Type.Array(Payment), activated: Type.Boolean(), additionalData: Type.Object({}) },
  }),
  { minItems: 1 },
);

export const PullPayment = Type.Object({
  ...{ id: text, name: text, description: text, currency: text, amount: decimal, viewLink: text },
  ...{ archived: Type.Boolean(), autoApproveClaims: Type.Boolean(), BOLT11Expiration: text },
});
export const PullPayments = Type.Array(PullPayment, { minItems: 1 });

const hook = {
  ...{ id: text, url: text, enabled: Type.Boolean(), automaticRedelivery: Type.Boolean() },
  authorizedEvents: Type.Object({ everything: Type.Boolean(), specificEvents: Type.Array(text) }),
};
export const Hook = Type.Object(hook);
export const NewHook = Type.Object({ ...hook, secret: text });
export const Hooks = Type.Array(Hook, { minItems: 1 });
export const Delivery = Type.Object({
  ...{ id: text, timestamp: seconds, httpCode: maybe(Type.Integer()), errorMessage: maybe(text) },
  status: Type.Enum(['Failed', 'HttpError', 'HttpSuccess']),
});
export const Deliveries = Type.Array(Delivery, { minItems: 1 });

const event = {
  ...{ deliveryId: text, webhookId: text, originalDeliveryId: text, isRedelivery: Type.Boolean() },
  ...{ type: text, timestamp: seconds, storeId: text, invoiceId: text, metadata: Type.Object({}) },
};
const paymentEvent = Type.Object({
  ...event,
  ...{ afterExpiration: Type.Boolean(), paymentMethod: text, paymentMethodId: text, payment: Payment },
});
/** The webhooks of that API, by their types. */
export const events = {
  InvoiceCreated: Type.Object(event),
  InvoiceReceivedPayment: paymentEvent,
  InvoicePaymentSettled: paymentEvent,
  InvoiceProcessing: Type.Object({ ...event, overPaid: Type.Boolean() }),
  InvoiceSettled: Type.Object({ ...event, manuallyMarked: Type.Boolean(), overPaid: Type.Boolean() }),
  InvoiceExpired: Type.Object({ ...event, partiallyPaid: Type.Boolean() }),
  InvoiceInvalid: Type.Object({ ...event, manuallyMarked: Type.Boolean() }),
};
