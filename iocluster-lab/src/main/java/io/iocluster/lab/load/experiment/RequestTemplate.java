package io.iocluster.lab.load.experiment;

import io.iocluster.message.RequestEnvelope;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of call. Its texts may have placeholders for the fields of feeders: <code>{{feeder.field}}</code>. Immutable.
 */
public record RequestTemplate(
        @Setting(doc = "Name of the request, for expectations and the report.")
        String name,

        @Setting(doc = "Share of this request among all calls, relative to the weights of the others.", value = "1")
        double weight,

        @Setting(doc = "HTTP method.", value = "GET") String method,

        @Setting(doc = "URL to call. May have placeholders, like header values, body and key.")
        String url,

        @Setting(doc = "HTTP headers.", value = "{}") Map<String, String> headers,
        @Setting(doc = "Body of the call.", value = "''") String body,

        @Setting(doc = "Time limit of the call, queues and retries included.", value = "30s")
        Duration deadline,

        @Setting(doc = "Time limit of one attempt. 0s for the node's default.", value = "0s")
        Duration timeout,

        @Setting(doc = "Maximum attempts. 0 for the node's default.", value = "0")
        int maxAttempts,

        @Setting(doc = "Idempotency key, which lets nodes retry a POST.", value = "''")
        String idempotencyKey,

        @Setting(doc = "Name of a credential of the nodes.", value = "''")
        String auth,

        @Setting(doc = "Key of the Kafka record, or AMQP correlation id.", value = "''")
        String key,

        @Setting(doc = "Headers of the message, not of the HTTP call.", value = "{}")
        Map<String, String> messageHeaders,

        @Setting(doc = "HTTP statuses of a successful call. Every other outcome is an error.", value = "[2xx]")
        List<StatusPattern> success) {

    private static final double MAX_WEIGHT = 1e9;
    private static final Duration MAX_DEADLINE = Duration.ofHours(1);

    public RequestTemplate {
        SettingsValidator validator = new SettingsValidator()
                .check(weight > 0, "weight", "must be positive: " + weight)
                .check(!(weight > MAX_WEIGHT), "weight", "must be at most " + (long) MAX_WEIGHT + ": " + weight)
                .check(
                        RequestEnvelope.METHODS.contains(method),
                        "method",
                        "must be one of GET HEAD POST PUT PATCH DELETE OPTIONS: " + method)
                .checkNotBlank("url", url)
                .check(
                        deadline.toMillis() >= 1 && deadline.compareTo(MAX_DEADLINE) <= 0,
                        "deadline",
                        "must be from 1ms to 1h")
                .checkRange("timeout", timeout, Duration.ZERO, MAX_DEADLINE)
                .checkRange("max-attempts", maxAttempts, 0, 100)
                .check(!success.isEmpty(), "success", "must name at least one status");
        Names.check(validator, name);
        Placeholders.checkSyntax(validator, "url", url);
        Placeholders.checkSyntax(validator, "body", body);
        Placeholders.checkSyntax(validator, "key", key);
        Placeholders.checkSyntax(validator, "idempotency-key", idempotencyKey);
        headers.forEach((header, value) -> Placeholders.checkSyntax(validator, "headers." + header, value));
        messageHeaders.forEach(
                (header, value) -> Placeholders.checkSyntax(validator, "message-headers." + header, value));
        validator.throwIfInvalid();
    }

    /** Returns the texts that may have placeholders, by their key, such as {@code headers.Accept}. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("url", url);
        texts.put("body", body);
        texts.put("key", key);
        texts.put("idempotency-key", idempotencyKey);
        headers.forEach((header, value) -> texts.put("headers." + header, value));
        messageHeaders.forEach((header, value) -> texts.put("message-headers." + header, value));
        return texts;
    }
}
