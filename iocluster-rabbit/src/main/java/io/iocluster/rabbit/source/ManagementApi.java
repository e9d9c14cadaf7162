package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.AmqpUri;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.TlsContexts;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.thread.ReadTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads statistics of the request queue from the broker's management API, at the first address that answers. Confined to the
 * lag thread; methods block.
 */
final class ManagementApi {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int PORT = 15_672;
    private static final int TLS_PORT = 15_671;
    /** Limits the response, because the full description of a queue is large. */
    private static final String COLUMNS = "?columns=messages_unacknowledged,head_message_timestamp";
    /** The broker collects statistics every five seconds by default; a longer interval is possible. */
    private static final Duration MAX_TIME_WITHOUT_STATISTICS = Duration.ofMinutes(1);

    private final List<ConnectionUri> uris;
    private final ConnectionUri broker;
    private final String path;
    private final Duration timeout;
    private final HttpClient client;
    private final LongSupplier nanos;
    /** Since when the API has had no statistics of the queue, in nanoseconds; null if it has some or was not asked. */
    private Long withoutStatisticsSince;

    /** @param nanos the monotonic clock, in nanoseconds */
    ManagementApi(RabbitSettings settings, LongSupplier nanos) {
        this.uris = settings.management().uris();
        this.broker = settings.uris().get(0);
        this.path = "/api/queues/" + encode(AmqpUri.virtualHost(broker)) + "/"
                + encode(settings.requests().queue()) + COLUMNS;
        this.timeout = settings.management().timeout();
        this.client = client(settings);
        this.nanos = nanos;
    }

    /**
     * Statistics of a queue that AMQP does not provide.
     *
     * @param unacknowledged messages delivered to any consumer and not acknowledged
     * @param headTimestampMillis timestamp of the first message, in milliseconds since the epoch; 0 if unknown
     */
    record QueueStatistics(long unacknowledged, long headTimestampMillis) {}

    private static HttpClient client(RabbitSettings settings) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(settings.management().timeout())
                .version(HttpClient.Version.HTTP_1_1);
        try {
            if (settings.management().uris().stream()
                    .anyMatch(uri -> uri.scheme().equals("https"))) {
                builder.sslContext(new TlsContexts(settings.tls()).jdkContext());
            }
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
        return builder.build();
    }

    /**
     * Returns the statistics of the request queue. They are zero for a new queue, which has none yet.
     *
     * @throws IOException if no address returns a description, or if there have been no statistics for a minute; the message
     *     is for the operator
     */
    QueueStatistics fetchQueueStatistics() throws IOException, InterruptedException {
        String problem = null;
        for (ConnectionUri uri : uris) {
            try {
                HttpResponse<InputStream> response = client.send(request(uri), BodyHandlers.ofInputStream());
                if (response.statusCode() == 200) {
                    return read(response.body());
                }
                response.body().close();
                problem = uri.address() + ": status " + response.statusCode();
            } catch (IOException failed) {
                problem = uri.address() + ": " + FailureText.of(failed);
            }
        }
        throw new IOException(problem);
    }

    private HttpRequest request(ConnectionUri uri) {
        boolean hasLogin = !uri.user().isEmpty();
        String user = hasLogin ? uri.user() : AmqpUri.user(broker);
        String password = hasLogin ? uri.password() : AmqpUri.password(broker);
        String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(URI.create(base(uri) + path))
                .timeout(timeout)
                .header("Authorization", "Basic " + login)
                .build();
    }

    private static String base(ConnectionUri uri) {
        boolean tls = uri.scheme().equals("https");
        String port = uri.port() < 0 ? ":" + (tls ? TLS_PORT : PORT) : "";
        String prefix = uri.path().isEmpty() ? "" : "/" + uri.path().replaceFirst("/$", "");
        return uri.scheme() + "://" + uri.address() + port + prefix;
    }

    private QueueStatistics read(InputStream body) throws IOException {
        try (body;
                ReadTimeout limit = new ReadTimeout(body, timeout)) {
            try {
                return parse(body);
            } catch (IOException broken) {
                throw limit.isExpired() ? new IOException("no answer in time") : broken;
            }
        }
    }

    private QueueStatistics parse(InputStream body) throws IOException {
        long unacknowledged = 0;
        long head = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            JsonToken first = parser.nextToken();
            // The broker encodes an object without members as an empty array.
            if (first == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.END_ARRAY) {
                return noStatistics();
            }
            if (first != JsonToken.START_OBJECT) {
                throw new IOException("response has no description of the queue");
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_NUMBER_INT && name.equals("messages_unacknowledged")) {
                    unacknowledged = parser.getLongValue();
                } else if (value == JsonToken.VALUE_NUMBER_INT && name.equals("head_message_timestamp")) {
                    head = parser.getLongValue() * 1_000;
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JacksonException broken) {
            throw new IOException("response is not valid JSON", broken);
        }
        withoutStatisticsSince = null;
        return new QueueStatistics(unacknowledged, head);
    }

    private QueueStatistics noStatistics() throws IOException {
        long now = nanos.getAsLong();
        if (withoutStatisticsSince == null) {
            withoutStatisticsSince = now;
        }
        if (now - withoutStatisticsSince >= MAX_TIME_WITHOUT_STATISTICS.toNanos()) {
            throw new IOException("no statistics of the queue for a minute; enable statistics in the broker");
        }
        return new QueueStatistics(0, 0);
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
