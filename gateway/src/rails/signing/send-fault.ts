/** What keeps anything from being sent for now: it is shown, and tried again later. */
export class SendFault extends Error {}
