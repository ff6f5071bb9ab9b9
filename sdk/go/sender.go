package florin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// WriteOption is an option of a write.
type WriteOption func(*writeOptions)

type writeOptions struct {
	idempotencyKey string
}

// IdempotencyKey makes a write take effect once, however often it is sent. Without it, each call gets a new one.
func IdempotencyKey(key string) WriteOption {
	return func(options *writeOptions) { options.idempotencyKey = key }
}

// A call such as `PUT /payment/create`, and its parts.
type request struct {
	name    string
	path    []string
	query   any
	body    any
	options []WriteOption
}

// sender sends all requests. It tries again after network errors, timeouts, 429, 5xx and while the same write is in
// progress; a write carries the same Idempotency-Key every time, so that it takes effect once.
type sender struct {
	baseURL    string
	secretKey  string
	timeout    time.Duration
	deadline   time.Duration
	maxRetries int
	sleep      func(ctx context.Context, wait time.Duration) error
	http       *http.Client
}

// call performs a call and reads the `data` of its answer.
func call[T any](ctx context.Context, s *sender, made request) (*T, error) {
	data, _, err := s.send(ctx, made)
	if err != nil {
		return nil, err
	}
	var read T
	if err := json.Unmarshal(data, &read); err != nil {
		return nil, fmt.Errorf("the answer of %s has another form: %w", made.name, err)
	}
	return &read, nil
}

// callOrNil is call where the `data` may be null.
func callOrNil[T any](ctx context.Context, s *sender, made request) (*T, error) {
	read, err := call[*T](ctx, s, made)
	if err != nil {
		return nil, err
	}
	return *read, nil
}

func callForNothing(ctx context.Context, s *sender, made request) error {
	_, _, err := s.send(ctx, made)
	return err
}

// send performs a call. The second value says whether an earlier call with the same key had its effect already.
func (s *sender) send(ctx context.Context, made request) (json.RawMessage, bool, error) {
	method, template, _ := strings.Cut(made.name, " ")
	path, err := fill(template, made.path)
	if err != nil {
		return nil, false, err
	}
	query, err := queryOf(made.query)
	if err != nil {
		return nil, false, err
	}
	sent := prepared{method: method, url: s.baseURL + path + query, header: http.Header{
		"Authorization": {"Bearer " + s.secretKey},
		"Accept":        {"application/json"},
	}}
	key := keyOf(method, made.options)
	if key != "" {
		sent.header.Set("Idempotency-Key", key)
	}
	if made.body != nil {
		if sent.body, err = encode(made.body); err != nil {
			return nil, false, err
		}
		sent.header.Set("Content-Type", "application/json")
	}
	return s.try(ctx, sent, key)
}

func (s *sender) try(ctx context.Context, sent prepared, key string) (json.RawMessage, bool, error) {
	deadline := time.Now().Add(s.deadline)
	for tries := 1; ; tries++ {
		limit := s.timeout
		if left := time.Until(deadline); left < limit {
			limit = left
		}
		data, replayed, err := s.once(ctx, sent, limit)
		var failed *Error
		if err == nil || !errors.As(err, &failed) {
			return data, replayed, err
		}
		failed.Tries, failed.IdempotencyKey = tries, key
		wait := retryDelay(failed, tries-1, mathrand.Float64())
		isLate := !time.Now().Add(wait).Before(deadline)
		if tries > s.maxRetries || !canRetry(failed) || isLate {
			return nil, false, failed
		}
		if err := s.sleep(ctx, wait); err != nil {
			return nil, false, err
		}
	}
}

func (s *sender) once(ctx context.Context, sent prepared, limit time.Duration) (json.RawMessage, bool, error) {
	found, err := s.exchange(ctx, sent, limit)
	if err != nil {
		return nil, false, err
	}
	data, err := readEnvelope(found)
	return data, found.header.Get("Idempotent-Replayed") == "true", err
}

const (
	firstDelay     = 250 * time.Millisecond
	longestBackoff = 8 * time.Second
	// A longer Retry-After is returned as an error instead of waited for.
	longestRetryAfterSeconds = 60
)

// canRetry says whether the same request, sent again with the same Idempotency-Key, can succeed.
func canRetry(failed *Error) bool {
	if failed.RetryAfterSeconds != nil && *failed.RetryAfterSeconds > longestRetryAfterSeconds {
		return false
	}
	if failed.Status == 0 || failed.Status == http.StatusTooManyRequests || failed.Status >= 500 {
		return true
	}
	return failed.Status == http.StatusConflict && failed.Message == "Idempotency-Key is in use"
}

// retryDelay is how long to wait before a retry (from 0): doubled each time, drawn from the upper half of that span so that
// clients which failed together do not return together; never less than the gateway asked.
func retryDelay(failed *Error, retry int, random float64) time.Duration {
	span := math.Min(float64(longestBackoff), float64(firstDelay)*math.Pow(2, float64(retry)))
	wait := time.Duration(span/2 + random*span/2)
	if failed.RetryAfterSeconds == nil {
		return wait
	}
	asked := time.Duration(*failed.RetryAfterSeconds) * time.Second
	if asked > wait {
		return asked
	}
	return wait
}

var placePattern = regexp.MustCompile(`\{(\w+)\}`)

func fill(template string, values []string) (string, error) {
	var wrong error
	next := 0
	filled := placePattern.ReplaceAllStringFunc(template, func(place string) string {
		value := values[next]
		next++
		// A path with an empty part or dots would lead to another call.
		if value == "" || value == "." || value == ".." {
			wrong = fmt.Errorf(`%s must be a text that is not empty, "." or ".."`, strings.Trim(place, "{}"))
		}
		return url.PathEscape(value)
	})
	return filled, wrong
}

// queryOf writes the fields of a filter as a query.
func queryOf(filter any) (string, error) {
	values, ok := filter.(url.Values)
	if filter != nil && !ok {
		text, err := json.Marshal(filter)
		if err != nil {
			return "", err
		}
		var fields map[string]any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&fields); err != nil {
			return "", err
		}
		values = url.Values{}
		for name, value := range fields {
			list, ok := value.([]any)
			if !ok {
				list = []any{value}
			}
			for _, each := range list {
				values.Add(name, fmt.Sprint(each))
			}
		}
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}

func encode(body any) ([]byte, error) {
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(body)
	return bytes.TrimSpace(written.Bytes()), err
}

// keyOf is the key of a write: the given one, or a random UUID.
func keyOf(method string, options []WriteOption) string {
	if method == http.MethodGet {
		return ""
	}
	var given writeOptions
	for _, option := range options {
		option(&given)
	}
	if given.idempotencyKey != "" {
		return given.idempotencyKey
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic(err)
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
