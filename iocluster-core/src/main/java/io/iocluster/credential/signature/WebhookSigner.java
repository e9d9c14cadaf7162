package io.iocluster.credential.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs id, time and body of a request as Standard Webhooks 1.0 defines, once with each secret. Immutable. */
public final class WebhookSigner implements RequestSigner {

    private static final String ID = "webhook-id";
    private static final String TIMESTAMP = "webhook-timestamp";
    private static final String SIGNATURE = "webhook-signature";
    private static final Set<String> HEADERS = Set.of(ID, TIMESTAMP, SIGNATURE);
    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> keys;

    public WebhookSigner(StandardWebhooksSettings settings) {
        this.keys = settings.secrets().stream()
                .map(secret -> new SecretKeySpec(StandardWebhooksSettings.key(secret), ALGORITHM))
                .toList();
    }

    /** Returns whether a header of this name belongs to a signature, in any case. */
    public static boolean isHeader(String name) {
        return HEADERS.contains(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean setsHeader(String name) {
        return isHeader(name);
    }

    @Override
    public HttpRequest sign(HttpRequest request, Instant now) {
        String id = WebhookId.encode(request.callId());
        String timestamp = Long.toString(now.getEpochSecond());
        byte[] prefix = (id + "." + timestamp + ".").getBytes(US_ASCII);
        List<Header> headers = new ArrayList<>(request.headers());
        headers.add(new Header(ID, id));
        headers.add(new Header(TIMESTAMP, timestamp));
        headers.add(new Header(
                SIGNATURE,
                keys.stream().map(key -> signature(key, prefix, request.body())).collect(Collectors.joining(" "))));
        return request.withHeaders(headers);
    }

    private static String signature(SecretKeySpec key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(prefix);
            if (body != null) {
                mac.update(body);
            }
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal());
        } catch (GeneralSecurityException defect) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, defect);
        }
    }
}
