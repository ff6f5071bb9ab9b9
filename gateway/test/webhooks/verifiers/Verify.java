import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks by contract.md#webhooks with Java's own library: lines of JSON in, one verdict a line out. */
class Verify {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            byte[] body = Base64.getDecoder().decode(text(line, "body"));
            byte[] secretKey = text(line, "secret_key").getBytes(StandardCharsets.UTF_8);
            boolean plain = matches(secretKey, body, text(line, "x-signature"));

            byte[] key = Base64.getDecoder().decode(text(line, "endpoint_secret").replaceFirst("^whsec_", ""));
            String sentAt = text(line, "webhook-timestamp");
            byte[] head = (text(line, "webhook-id") + "." + sentAt + ".").getBytes(StandardCharsets.UTF_8);
            byte[] signed = new byte[head.length + body.length];
            System.arraycopy(head, 0, signed, 0, head.length);
            System.arraycopy(body, 0, signed, head.length, body.length);
            boolean isSigned = false;
            for (String given : text(line, "webhook-signature").split(" ")) {
                isSigned |= given.startsWith("v1,") && matches(key, signed, given.substring(3));
            }
            long age = System.currentTimeMillis() / 1000 - Long.parseLong(sentAt);
            boolean standard = isSigned && Math.abs(age) <= 300;
            System.out.println("{\"plain\":" + plain + ",\"standard\":" + standard + "}");
        }
    }

    static boolean matches(byte[] key, byte[] message, String given) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] expected = Base64.getEncoder().encode(mac.doFinal(message));
        return MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8));
    }

    /** A value that holds no quotes: all of these are base64, numbers or identifiers. */
    static String text(String line, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(line);
        if (!found.find()) throw new IllegalArgumentException(name + " is missing");
        return found.group(1);
    }
}
