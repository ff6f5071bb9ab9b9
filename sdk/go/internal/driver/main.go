// The driver of this SDK for the conformance suite: one case a line in, one result a line out.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	florin "florin.example/sdk"
	"florin.example/sdk/internal/keccak"
)

type driverCase struct {
	Kind             string
	Call             string
	Args             []json.RawMessage
	Key              *string
	SecretKey        json.RawMessage
	EndpointSecret   json.RawMessage
	BaseURL          string
	MaxRetries       *int
	TimeoutMs        int
	DeadlineMs       int
	Body             string
	Headers          map[string]string
	ToleranceSeconds int
	Now              int64
	PaymentID        string
	Destination      florin.PaymentDestination
	Agreed           florin.Agreed
	Bytes            []byte
	ChainID          int
	Asset            string
	Amount           string
	Reference        string
}

var performers = map[string]func(driverCase) map[string]any{
	"call":        performCall,
	"webhook":     performWebhook,
	"destination": performDestination,
	"words":       performWords,
	"keccak":      performKeccak,
}

func main() {
	reader := bufio.NewReader(os.Stdin)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		var given driverCase
		if err := json.Unmarshal(line, &given); err != nil {
			panic(err)
		}
		text, err := json.Marshal(performers[given.Kind](given))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

func performCall(given driverCase) map[string]any {
	waits := []int64{}
	client, err := florin.NewClient(florin.Options{
		SecretKey:  strings.Join(secretsOf(given.SecretKey), ""),
		BaseURL:    given.BaseURL,
		Timeout:    time.Duration(given.TimeoutMs) * time.Millisecond,
		Deadline:   time.Duration(given.DeadlineMs) * time.Millisecond,
		MaxRetries: given.MaxRetries,
		Sleep: func(_ context.Context, wait time.Duration) error {
			waits = append(waits, wait.Milliseconds())
			return nil
		},
	})
	if err != nil {
		return map[string]any{"invalid": true}
	}
	data, err := invoke(client, given)
	var failed *florin.Error
	if errors.As(err, &failed) {
		return map[string]any{"error": faultOf(failed), "waitsMs": waits}
	}
	if err != nil {
		return map[string]any{"invalid": true}
	}
	return map[string]any{"data": data, "waitsMs": waits}
}

// invoke calls the method at a place such as payouts.topUpAddresses.create, with its arguments read as its types.
func invoke(client *florin.Client, given driverCase) (any, error) {
	target := reflect.ValueOf(client)
	names := strings.Split(given.Call, ".")
	for _, name := range names[:len(names)-1] {
		target = target.Elem().FieldByName(upper(name))
	}
	method := target.MethodByName(upper(names[len(names)-1]))
	args := []reflect.Value{reflect.ValueOf(context.Background())}
	for index := 1; index < method.Type().NumIn(); index++ {
		kind := method.Type().In(index)
		if method.Type().IsVariadic() && index == method.Type().NumIn()-1 {
			break
		}
		value := reflect.New(kind)
		if index <= len(given.Args) {
			if err := json.Unmarshal(given.Args[index-1], value.Interface()); err != nil {
				return nil, err
			}
		}
		args = append(args, value.Elem())
	}
	if given.Key != nil {
		args = append(args, reflect.ValueOf(florin.IdempotencyKey(*given.Key)))
	}
	return answerOf(method.Call(args))
}

func answerOf(answers []reflect.Value) (any, error) {
	last, _ := answers[len(answers)-1].Interface().(error)
	next := answers[0].MethodByName("Next")
	if next.IsValid() {
		items := []any{}
		for next.Call(nil)[0].Bool() {
			items = append(items, answers[0].MethodByName("Item").Call(nil)[0].Interface())
		}
		last, _ = answers[0].MethodByName("Err").Call(nil)[0].Interface().(error)
		return items, last
	}
	if len(answers) == 1 {
		return nil, last
	}
	return answers[0].Interface(), last
}

func upper(name string) string {
	return strings.ToUpper(name[:1]) + name[1:]
}

func faultOf(failed *florin.Error) map[string]any {
	details := failed.Details
	if details == nil {
		details = []florin.ErrorDetail{}
	}
	orNil := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return map[string]any{
		"status":            failed.Status,
		"code":              failed.Code,
		"slug":              failed.Slug,
		"message":           failed.Message,
		"details":           details,
		"requestId":         orNil(failed.RequestID),
		"retryAfterSeconds": failed.RetryAfterSeconds,
		"tries":             failed.Tries,
		"idempotencyKey":    orNil(failed.IdempotencyKey),
	}
}

// secretsOf reads one secret or several; one that is not set is empty, and an absent one is nil.
func secretsOf(given json.RawMessage) []string {
	if given == nil {
		return nil
	}
	var one string
	if json.Unmarshal(given, &one) == nil {
		return []string{one}
	}
	several := []string{}
	if err := json.Unmarshal(given, &several); err != nil {
		panic(err)
	}
	return several
}

func performWebhook(given driverCase) map[string]any {
	body, err := base64.StdEncoding.DecodeString(given.Body)
	if err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, value := range given.Headers {
		header[name] = []string{value}
	}
	event, err := florin.VerifyWebhook(florin.Webhook{
		Body:            body,
		Header:          header,
		SecretKeys:      secretsOf(given.SecretKey),
		EndpointSecrets: secretsOf(given.EndpointSecret),
		Tolerance:       time.Duration(given.ToleranceSeconds) * time.Second,
		Now:             time.Unix(given.Now, 0),
	})
	var refused *florin.WebhookError
	if errors.As(err, &refused) {
		return map[string]any{"refusal": refused.Reason}
	}
	if err != nil {
		panic(err)
	}
	return map[string]any{"event": map[string]any{"event_id": event.EventID, "event_type": event.EventType}}
}

func performDestination(given driverCase) map[string]any {
	err := florin.VerifyDestination(given.PaymentID, given.Destination, given.Agreed)
	var refused *florin.DestinationError
	if errors.As(err, &refused) {
		return map[string]any{"refusal": refused.Reason}
	}
	address, err := florin.DestinationAddress(given.PaymentID, given.Agreed)
	if err != nil {
		panic(err)
	}
	return map[string]any{"address": address}
}

func performWords(given driverCase) map[string]any {
	words, err := florin.PaymentWords(given.PaymentID, given.Agreed, florin.WordsRequest{
		ChainID: given.ChainID, Asset: given.Asset, Amount: given.Amount, Reference: given.Reference,
	})
	var refused *florin.DestinationError
	if errors.As(err, &refused) {
		return map[string]any{"refusal": refused.Reason}
	}
	return map[string]any{"words": words}
}

func performKeccak(given driverCase) map[string]any {
	digest := keccak.Sum256(given.Bytes)
	return map[string]any{"digest": hex.EncodeToString(digest[:])}
}
