/** Whether the dashboard is open at an address of this machine: the gateway then runs here, and reaches the machine's other servers. */
export function isOnOwnMachine(): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);
}
