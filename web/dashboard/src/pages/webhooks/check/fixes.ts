import type { Snippet } from './check.ts';
import { type Language, verification } from './receiver.ts';

/** The code that corrects a broken rule, in a language. The code for signatures is from the documentation. */
export function fixIn(snippet: Snippet, language: Language): string {
  return snippet === 'verify' ? verification(language) : fixes[snippet][language];
}

const fixes: Record<Exclude<Snippet, 'verify'>, Record<Language, string>> = {
  'raw-body': {
    js: `// Before any middleware that parses JSON, only on this path.
app.post('/webhooks/florin', express.raw({ type: 'application/json' }), (request, response) => {
  const body = request.body; // a Buffer: the bytes as they came
  if (!isGenuine(body, request.headers, secretKey, endpointSecret)) return response.sendStatus(400);
  const event = JSON.parse(body);
  response.sendStatus(200);
});`,
    python: `body = request.get_data()  # the bytes as they came, before request.get_json()
if not is_genuine(body, request.headers, secret_key, endpoint_secret):
    return "", 400
event = json.loads(body)`,
    php: `$body = file_get_contents('php://input'); // the bytes as they came
if (!is_genuine($body, $headers, $secretKey, $endpointSecret)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);`,
    go: `body, err := io.ReadAll(request.Body) // the bytes as they came
if err != nil || !IsGenuine(body, request.Header, secretKey, endpointSecret) {
	response.WriteHeader(http.StatusBadRequest)
	return
}
err = json.Unmarshal(body, &event)`,
  },
  'store-once': {
    js: `// CREATE TABLE webhook_events (event_id text PRIMARY KEY)
await transaction(async (db) => {
  const { rowCount } = await db.query(
    'INSERT INTO webhook_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING',
    [event.event_id],
  );
  if (rowCount === 1) await handle(db, event); // the order changes in the same transaction
});
response.sendStatus(200); // also when it was there already`,
    python: `# CREATE TABLE webhook_events (event_id text PRIMARY KEY)
with connection.transaction():
    done = connection.execute(
        "INSERT INTO webhook_events (event_id) VALUES (%s) ON CONFLICT DO NOTHING",
        [event["event_id"]],
    )
    if done.rowcount == 1:
        handle(connection, event)  # the order changes in the same transaction
return ""  # also when it was there already`,
    php: `// CREATE TABLE webhook_events (event_id text PRIMARY KEY)
$pdo->beginTransaction();
$insert = $pdo->prepare('INSERT INTO webhook_events (event_id) VALUES (?) ON CONFLICT DO NOTHING');
$insert->execute([$event['event_id']]);
if ($insert->rowCount() === 1) {
    handle($pdo, $event); // the order changes in the same transaction
}
$pdo->commit();
http_response_code(200); // also when it was there already`,
    go: `// CREATE TABLE webhook_events (event_id text PRIMARY KEY)
tx, err := db.BeginTx(ctx, nil)
// ...
done, err := tx.ExecContext(ctx,
	"INSERT INTO webhook_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING", event.EventID)
// ...
if count, _ := done.RowsAffected(); count == 1 {
	err = handle(ctx, tx, event) // the order changes in the same transaction
}
// Commit, then answer 200, also when it was there already.`,
  },
  'answer-first': {
    js: `await jobs.add('florin event', event); // a row in your own database is enough
response.sendStatus(200);
// Mails, invoices and calls to others happen in the job, not here.`,
    python: `jobs.enqueue("florin event", event)  # a row in your own database is enough
return ""
# Mails, invoices and calls to others happen in the job, not here.`,
    php: `$jobs->add('florin event', $event); // a row in your own database is enough
http_response_code(200);
// Mails, invoices and calls to others happen in the job, not here.`,
    go: `err = jobs.Add(ctx, "florin event", event) // a row in your own database is enough
// ...
response.WriteHeader(http.StatusOK)
// Mails, invoices and calls to others happen in the job, not here.`,
  },
  'ignore-unknown': {
    js: `switch (event.event_type) {
  case 'payment_completed':
    await markPaid(event.payment_reference);
    break;
  default: // a type of tomorrow, or a payment of another shop: nothing to do
}
response.sendStatus(200);`,
    python: `if event["event_type"] == "payment_completed":
    mark_paid(event["payment_reference"])
# Anything else, of today or tomorrow: nothing to do.
return ""`,
    php: `if ($event['event_type'] === 'payment_completed') {
    mark_paid($event['payment_reference']);
}
// Anything else, of today or tomorrow: nothing to do.
http_response_code(200);`,
    go: `switch event.EventType {
case "payment_completed":
	err = markPaid(ctx, event.PaymentReference)
default: // a type of tomorrow, or a payment of another shop: nothing to do
}
// ...
response.WriteHeader(http.StatusOK)`,
  },
};
