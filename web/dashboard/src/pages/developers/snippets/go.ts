import { keyNote, type SnippetContext, type SnippetSet } from './snippet.ts';

/** A test key may stand in the code, which then runs as it was pasted. */
const fallback = ({ key, isWhole }: SnippetContext) =>
  isWhole ? `cmp.Or(os.Getenv("FLORIN_SECRET_KEY"), "${key}")` : 'os.Getenv("FLORIN_SECRET_KEY")';

const withCmp = ({ isWhole }: SnippetContext) => (isWhole ? '\n\t"cmp"' : '');

const program = (context: SnippetContext, main: string) => `package main

import (${withCmp(context)}
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

// ${keyNote(context)}
var secretKey = ${fallback(context)}

func florin(method, path, body, idempotencyKey string) []byte {
	request, err := http.NewRequest(method, "${context.baseUrl}"+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secretKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", idempotencyKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		log.Fatalf("%s %s", answer, err)
	}
	return answer
}

func main() {
${main}
}`;

export const go: SnippetSet = {
  label: 'Go',
  create: (context) =>
    program(
      context,
      `	body := \`{"amount": 20, "currency": "USDC", "payment_type": "deposit"}\`
	// Holds PaymentData.payment_reference, to keep with the order, and PaymentURL, for the customer.
	fmt.Println(string(florin("PUT", "/payment/create", body, "order-1001")))`,
    ),
  verify: (context) => `package webhooks

import (${withCmp(context)}
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
)

// ${keyNote(context)}
var secretKey = ${fallback(context)}

type Event struct {
	ID            string \`json:"event_id"\`
	Type          string \`json:"event_type"\`
	Reference     string \`json:"payment_reference"\`
	IntegrationID string \`json:"integration_id"\`
}

// Read returns the event that Florin sent; body is the bytes as they came.
func Read(body []byte, header http.Header) (event Event, err error) {
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write(body)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(expected), []byte(header.Get("X-Signature"))) {
		return event, errors.New("not sent by Florin")
	}
	if err = json.Unmarshal(body, &event); err == nil && event.IntegrationID != "${context.integrationId}" {
		err = errors.New("for another integration")
	}
	return event, err
}`,
  fundUser: (context) =>
    program(
      context,
      `	body := \`{"username": "jane_doe", "amount": 5, "currency": "usdc-erc20"}\`
	fmt.Println(string(florin("POST", "/payment/fund-user", body, "payout-1001")))`,
    ),
};
