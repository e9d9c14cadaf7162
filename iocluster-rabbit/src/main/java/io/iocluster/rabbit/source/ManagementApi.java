package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.AmqpUri;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.TlsContexts;
import io.iocluster.settings.ConnectionUri;
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
 * The queue of requests as the broker's own HTTP interface describes it, of the first of its addresses that answers. Methods block;
 * confined to the lag's thread.
 */
final class ManagementApi {

    private static final JsonFactory JSON = new JsonFactory();
    private static final int PORT = 15_672;
    private static final int TLS_PORT = 15_671;
    /** What matters is asked for alone; the whole description is large. */
    private static final String COLUMNS = "?columns=messages_unacknowledged,head_message_timestamp";
    /** The broker makes its figures every five seconds, unless it is told to make them less often. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final List<ConnectionUri> uris;
    private final ConnectionUri broker;
    private final String path;
    private final Duration timeout;
    private final HttpClient client;
    private final LongSupplier nanos;
    /** Since when it has no figures of the queue; null if it has some, or was not asked. */
    private Long withoutFigures;

    ManagementApi(RabbitSettings settings) {
        this(settings, System::nanoTime);
    }

    /**
     * With a clock.
     *
     * @param nanos as {@link System#nanoTime}
     */
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
     * What AMQP does not say of a queue.
     *
     * @param unacknowledged handed out to any node and not acknowledged
     * @param headMillis since when its first message waits; 0 if it is not known
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
     * Asks. Of a queue that was just made there are no figures yet, and nobody is taken to hold anything of it.
     *
     * @throws IOException if none of the addresses gives a description, or if figures have not come within a minute; the message is for
     *     people
     */
    QueueStatistics fetchQueueStatistics() throws IOException, InterruptedException {
        String problem = null;
        for (ConnectionUri uri : uris) {
            try {
                HttpResponse<InputStream> response = client.send(request(uri), BodyHandlers.ofInputStream());
                try (InputStream body = response.body()) {
                    if (response.statusCode() == 200) {
                        return read(body);
                    }
                    problem = uri.address() + ": status " + response.statusCode();
                }
            } catch (IOException failed) {
                problem = uri.address() + ": " + FailureText.of(failed);
            }
        }
        throw new IOException(problem);
    }

    private HttpRequest request(ConnectionUri uri) {
        boolean ownLogin = !uri.user().isEmpty();
        String user = ownLogin ? uri.user() : AmqpUri.user(broker);
        String password = ownLogin ? uri.password() : AmqpUri.password(broker);
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
        long unacknowledged = 0;
        long head = 0;
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            JsonToken first = parser.nextToken();
            // So Erlang writes an object without members.
            if (first == JsonToken.START_ARRAY && parser.nextToken() == JsonToken.END_ARRAY) {
                return noFigures();
            }
            if (first != JsonToken.START_OBJECT) {
                throw new IOException("no description of the queue");
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
            throw new IOException("no JSON", broken);
        }
        withoutFigures = null;
        return new QueueStatistics(unacknowledged, head);
    }

    private QueueStatistics noFigures() throws IOException {
        long now = nanos.getAsLong();
        if (withoutFigures == null) {
            withoutFigures = now;
        }
        if (now - withoutFigures >= FRESH.toNanos()) {
            throw new IOException("no figures of the queue; are its statistics off?");
        }
        return new QueueStatistics(0, 0);
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
