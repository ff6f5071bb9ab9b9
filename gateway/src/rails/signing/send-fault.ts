/** A fault that keeps everything from being sent for now: it is shown, and tried again later. */
export class SendFault extends Error {}
