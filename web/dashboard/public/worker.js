// Shows notices that are pushed to this browser, also while no page of the dashboard is open. It keeps and fetches nothing.

addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json();
  const icon = '/app/icon.png';
  event.waitUntil(registration.showNotification(title, { body, tag, icon, data: { path } }));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, registration.scope).href;
  if (address.startsWith(registration.scope)) event.waitUntil(clients.openWindow(address));
});
