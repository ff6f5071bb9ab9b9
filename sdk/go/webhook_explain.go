package florin

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// signature is one of the two: the given ones, and how the right ones are computed.
type signature struct {
	header string
	option string
	given  []string
	keys   [][]byte
	// head is what is signed before the body.
	head string
}

// plainSignature is X-Signature: over the body alone, keyed with the whole secret key.
func plainSignature(keys [][]byte, header http.Header) (*signature, error) {
	given, err := requireHeader(header, "x-signature")
	if err != nil {
		return nil, err
	}
	return &signature{header: "X-Signature", option: "SecretKeys", given: []string{given}, keys: keys}, nil
}

var listedPattern = regexp.MustCompile(`v1,[A-Za-z0-9_+/=-]+`)

// standardSignature is that of Standard Webhooks: over id, timestamp and body; one `v1,` signature for each valid secret.
func standardSignature(keys [][]byte, header http.Header) (*signature, error) {
	values := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		value, err := requireHeader(header, name)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	listed := values["webhook-signature"]
	var given []string
	for _, place := range listedPattern.FindAllStringIndex(listed, -1) {
		// Repeated headers may be joined by commas; the gateway separates signatures by spaces.
		if place[0] == 0 || strings.ContainsAny(listed[place[0]-1:place[0]], " ,") {
			given = append(given, strings.TrimPrefix(listed[place[0]:place[1]], "v1,"))
		}
	}
	head := values["webhook-id"] + "." + values["webhook-timestamp"] + "."
	return &signature{header: "webhook-signature", option: "EndpointSecrets", given: given, keys: keys, head: head}, nil
}

// sign gives base64, one for each secret.
func (s *signature) sign(body []byte) []string {
	var signed []string
	for _, key := range s.keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(s.head))
		mac.Write(body)
		signed = append(signed, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return signed
}

func (s *signature) fits(body []byte) bool {
	return s.isOneOf(s.sign(body))
}

// isOneOf says whether one of the given signatures is an expected one; all are compared, each in constant time.
func (s *signature) isOneOf(expected []string) bool {
	matches := 0
	for _, one := range expected {
		for _, other := range s.given {
			matches += subtle.ConstantTimeCompare([]byte(one), []byte(other))
		}
	}
	return matches > 0
}

// explain finds the likeliest cause of a wrong signature by trying what receivers are known to do to a body. It never makes
// a webhook valid: it only finds the message, which holds nothing of a secret.
func explain(wrong, right *signature, body []byte) *WebhookError {
	if right != nil {
		message := "%s fits the body and %s does not: the body is genuine, and %s is an old one or of another " +
			"integration, mode or endpoint"
		return refused(WrongSignature, fmt.Sprintf(message, right.header, wrong.header, wrong.option))
	}
	var spellings []string
	for _, one := range wrong.sign(body) {
		spellings = append(spellings, otherSpellings(one)...)
	}
	if wrong.isOneOf(spellings) {
		return refused(WrongSignature, wrong.header+" is right but not in standard base64: something changed it on its way")
	}
	text := textOfBody(body)
	if original := serialisedAgain(text); original != nil && wrong.fits(original) {
		return refused(BodyParsed, "The body was parsed before verification and written as JSON again, which changed its "+
			"bytes: verify the raw body, and parse it afterwards")
	}
	if original := fromBase64(text); original != nil && wrong.fits(original) {
		return refused(BodyDecoded, "The body is still base64, as some serverless platforms hand it over: decode it first")
	}
	if original := latin1(text); original != nil && wrong.fits(original) {
		return refused(BodyDecoded, "The body was decoded as Latin-1, but is UTF-8: pass the raw bytes")
	}
	message := "%s does not fit the body: check that %s belongs to this integration and mode, and that the body is the raw one"
	return refused(WrongSignature, fmt.Sprintf(message, wrong.header, wrong.option))
}

// otherSpellings are base64url, and hexadecimal in both cases.
func otherSpellings(signed string) []string {
	raw, _ := base64.StdEncoding.DecodeString(signed)
	text := hex.EncodeToString(raw)
	address := base64.URLEncoding.EncodeToString(raw)
	return []string{text, strings.ToUpper(text), address, strings.TrimRight(address, "=")}
}

// The order in which the gateway writes the fields of each event: a receiver that serialises a map may have sorted them.
// pricedFields or shortFields stand between the others.
const (
	firstFields = "event_id,payment_id,currency,payout_id,payout_reference,purpose,asset,amount,payment_reference," +
		"payment_status,service_fee,customer_email,customer_reference,fee,to,memo,payout_status,transaction," +
		"integration_id,event_type,timestamp"
	pricedFields = "paid_asset,paid_amount,paid_fee,rate,short"
	shortFields  = "short,paid_amount"
	lastFields   = "refund_id,refund_asset,refund_amount,endpoint_id,url,reason,failing_since"
)

func serialisedAgain(text string) []byte {
	var event map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	if decoder.Decode(&event) != nil || event == nil || decoder.More() {
		return nil
	}
	paid := shortFields
	if _, ok := event["paid_asset"]; ok {
		paid = pricedFields
	}
	var written bytes.Buffer
	writeJSON(&written, event, strings.Split(firstFields+","+paid+","+lastFields, ","))
	return written.Bytes()
}

// writeJSON writes JSON as the gateway does.
func writeJSON(out *bytes.Buffer, value any, fields []string) {
	switch each := value.(type) {
	case map[string]any:
		mark := "{"
		for _, name := range fields {
			if inner, ok := each[name]; ok {
				out.WriteString(mark + `"` + name + `":`)
				writeJSON(out, inner, fields)
				mark = ","
			}
		}
		out.WriteString(strings.TrimPrefix(mark, ",") + "}")
	case []any:
		out.WriteByte('[')
		for index, inner := range each {
			if index > 0 {
				out.WriteByte(',')
			}
			writeJSON(out, inner, fields)
		}
		out.WriteByte(']')
	case string:
		writeText(out, each)
	case float64:
		// As ECMAScript writes a number.
		text, _ := json.Marshal(each)
		out.Write(text)
	case bool:
		out.WriteString(strconv.FormatBool(each))
	default:
		out.WriteString("null")
	}
}

var escapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

// writeText writes a text as ECMAScript does; encoding/json escapes more.
func writeText(out *bytes.Buffer, text string) {
	out.WriteByte('"')
	for _, char := range text {
		if escape, ok := escapes[char]; ok {
			out.WriteString(escape)
		} else if char < ' ' {
			fmt.Fprintf(out, `\u%04x`, char)
		} else {
			out.WriteRune(char)
		}
	}
	out.WriteByte('"')
}

func latin1(text string) []byte {
	if !utf8.ValidString(text) {
		return nil
	}
	var raw []byte
	for _, char := range text {
		if char > 0xff {
			return nil
		}
		raw = append(raw, byte(char))
	}
	return raw
}
