import webhooksPage from '../../../../../../docs/webhooks.md?raw';

export const languages = ['js', 'python', 'php', 'go'] as const;

export type Language = (typeof languages)[number];

export const languageNames: Record<Language, string> = { js: 'Node', python: 'Python', php: 'PHP', go: 'Go' };
export const languageChoices = languages.map((value) => ({ value, label: languageNames[value] }));

/**
 * A receiver in that language for an endpoint's address: the verification of the documentation, whose tests run it,
 * and a route that uses it.
 */
export function receiverIn(language: Language, url: string): string {
  const path = URL.parse(url)?.pathname ?? '/';
  return `${verification(language)}\n\n${routes[language](path)}\n`;
}

/** The function in the documentation that checks both signatures. */
export function verification(language: Language): string {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(webhooksPage);
  return (fence?.[1] ?? '').trimEnd();
}

const routes: Record<Language, (path: string) => string> = {
  js: (path) => `import { createServer } from 'node:http';

const { FLORIN_SECRET_KEY, FLORIN_ENDPOINT_SECRET } = process.env;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const isOurs = request.method === 'POST' && request.url === ${JSON.stringify(path)};
  if (!isOurs || !isGenuine(body, request.headers, FLORIN_SECRET_KEY, FLORIN_ENDPOINT_SECRET)) {
    response.writeHead(isOurs ? 400 : 404).end();
    return;
  }
  const event = JSON.parse(body);
  // Once for each event.event_id: on payment_completed mark event.payment_reference as paid.
  console.log(event.event_type, event.payment_reference);
  response.end();
}).listen(8080);`,
  python: (path) => `# With Flask
import os

from flask import Flask, request

app = Flask(__name__)


@app.post(${JSON.stringify(path)})
def webhook():
    body = request.get_data()
    secrets = os.environ["FLORIN_SECRET_KEY"], os.environ["FLORIN_ENDPOINT_SECRET"]
    if not is_genuine(body, request.headers, *secrets):
        return "", 400
    event = request.get_json()
    # Once for each event["event_id"]: on payment_completed mark event["payment_reference"] as paid.
    print(event["event_type"], event["payment_reference"])
    return ""`,
  php: (path) => `// ${path}
$body = file_get_contents('php://input');
$headers = array_change_key_case(getallheaders());
if (!is_genuine($body, $headers, getenv('FLORIN_SECRET_KEY'), getenv('FLORIN_ENDPOINT_SECRET'))) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// Once for each $event['event_id']: on payment_completed mark $event['payment_reference'] as paid.
error_log($event['event_type'] . ' ' . $event['payment_reference']);`,
  go: (path) => `// Handle is for http.HandleFunc(${JSON.stringify(`POST ${path}`)}, webhooks.Handle);
// import "io" and "os" as well.
func Handle(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	secretKey, endpointSecret := os.Getenv("FLORIN_SECRET_KEY"), os.Getenv("FLORIN_ENDPOINT_SECRET")
	if err != nil || !IsGenuine(body, request.Header, secretKey, endpointSecret) {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	// Once for each event_id of the body: on payment_completed mark payment_reference as paid.
	response.WriteHeader(http.StatusOK)
}`,
};
