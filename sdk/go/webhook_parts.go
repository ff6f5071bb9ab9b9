package florin

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// findHeader is a header's value, repeats joined by a space; the name is in lower case.
func findHeader(header http.Header, name string) (string, bool) {
	for key, values := range header {
		if strings.ToLower(key) == name && len(values) > 0 {
			return strings.Join(values, " "), true
		}
	}
	return "", false
}

func requireHeader(header http.Header, name string) (string, error) {
	if value, _ := findHeader(header, name); value != "" {
		return value, nil
	}
	advice := "pass the header of the request itself; if it holds none, a proxy in front of you removes it"
	return "", refused(MissingHeader, "The header "+name+" is missing: "+advice)
}

// readSecretKeys gives the keys of X-Signature: each is the whole sk_... text. nil when the option is nil.
func readSecretKeys(secrets []string) ([][]byte, error) {
	return mapSecrets(secrets, "SecretKeys", func(secret string) ([]byte, string) {
		if isSecretWith(secret, "whsec_") {
			return nil, "SecretKeys holds a whsec_ secret, which is the endpoint's: pass it in EndpointSecrets"
		}
		if !isSecretWith(secret, "sk_") {
			return nil, "SecretKeys must hold the secret key, sk_test_... or sk_live_..." + faultOf(secret)
		}
		return []byte(secret), ""
	})
}

// readEndpointSecrets gives the keys of webhook-signature: what is base64 after whsec_. nil when the option is nil.
func readEndpointSecrets(secrets []string) ([][]byte, error) {
	return mapSecrets(secrets, "EndpointSecrets", func(secret string) ([]byte, string) {
		if isSecretWith(secret, "sk_") {
			return nil, "EndpointSecrets holds a secret key (sk_...): pass it in SecretKeys"
		}
		if !isSecretWith(secret, "whsec_") {
			return nil, "EndpointSecrets must hold the endpoint's secret, whsec_..." + faultOf(secret)
		}
		text := strings.TrimPrefix(secret, "whsec_")
		if strings.ContainsAny(text, "-_") {
			return nil, "EndpointSecrets is base64url after whsec_, but the gateway gave base64: copy it again"
		}
		key := fromBase64(text)
		if key == nil {
			return nil, "EndpointSecrets is not base64 after whsec_: copy it again"
		}
		return key, ""
	})
}

func mapSecrets(secrets []string, name string, read func(secret string) (key []byte, fault string)) ([][]byte, error) {
	if secrets == nil {
		return nil, nil
	}
	if len(secrets) == 0 {
		return nil, refused(BadSecret, name+" is an empty list")
	}
	keys := make([][]byte, 0, len(secrets))
	for _, secret := range secrets {
		key, fault := read(secret)
		if fault != "" {
			return nil, refused(BadSecret, fault)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func isSecretWith(secret, prefix string) bool {
	last, _ := utf8.DecodeLastRuneInString(secret)
	return strings.HasPrefix(secret, prefix) && !unicode.IsSpace(last)
}

// faultOf says what is wrong with a secret, without showing it.
func faultOf(secret string) string {
	if secret == "" {
		return ", and is empty: is the environment variable set?"
	}
	if strings.Trim(secret, "\"' \t\r\n") != secret {
		return ", and has quotes or white space around it"
	}
	return ""
}

var base64Pattern = regexp.MustCompile(`^[A-Za-z0-9+/]+={0,2}$`)

// fromBase64 gives the bytes of standard base64, with or without its padding; nil for another text.
func fromBase64(text string) []byte {
	if !base64Pattern.MatchString(text) {
		return nil
	}
	bare := text
	if len(text)%4 == 0 {
		bare = strings.TrimRight(text, "=")
	}
	bytes, err := base64.RawStdEncoding.DecodeString(bare)
	if err != nil {
		return nil
	}
	return bytes
}
