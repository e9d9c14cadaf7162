package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.FileDigests;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** The HTTP interface of an agent. Methods block, each for a bounded time; safe for use by several threads. */
final class ConsulAgent {

    private static final long LARGEST_REPLY = 1 << 20;

    private final ConsulSettings settings;
    private final Supplier<String> token;
    private final String base;
    private FileDigests certificates;
    private HttpClient client;

    /**
     * @param token asked for each request; empty for none
     */
    ConsulAgent(ConsulSettings settings, Supplier<String> token) {
        this.settings = settings;
        this.token = token;
        this.base = settings.address().replaceFirst("/+$", "");
    }

    /** One part of a path, encoded; of a path, each part. */
    static String encode(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /**
     * Reads, and may let the agent wait for a change.
     *
     * @param path encoded, with its query
     * @param most the largest body
     * @param patience how long the agent may take besides the usual time
     * @throws AgentResponseException if it answers with anything but 200 and 404
     * @throws IOException if there is no answer; the message is for people
     */
    AgentResponse get(String path, long most, Duration patience) throws IOException, InterruptedException {
        return checked(
                send(request(path).GET().build(), most, settings.timeout().plus(patience)));
    }

    AgentResponse get(String path) throws IOException, InterruptedException {
        return get(path, LARGEST_REPLY, Duration.ZERO);
    }

    /**
     * Writes.
     *
     * @param body JSON; empty for none
     * @throws AgentResponseException if it answers with anything but 200 and 404
     * @throws IOException if there is no answer; the message is for people
     */
    AgentResponse put(String path, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).PUT(BodyPublishers.ofString(body));
        return checked(
                send(request.header("Content-Type", "application/json").build(), LARGEST_REPLY, settings.timeout()));
    }

    private static AgentResponse checked(AgentResponse reply) throws AgentResponseException {
        if (reply.status() != 200 && reply.isFound()) {
            throw new AgentResponseException(reply);
        }
        return reply;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        String shown = token.get();
        return shown.isEmpty() ? request : request.header("X-Consul-Token", shown);
    }

    private AgentResponse send(HttpRequest request, long most, Duration within)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent = client().sendAsync(request, BoundedBodySubscriber.upTo(most));
        try {
            HttpResponse<byte[]> response = sent.get(within.toNanos(), TimeUnit.NANOSECONDS);
            return new AgentResponse(response.statusCode(), index(response), response.body());
        } catch (TimeoutException silent) {
            throw new IOException("no answer within " + DurationText.format(within), silent);
        } catch (ExecutionException failed) {
            throw new IOException(reason(failed.getCause()), failed.getCause());
        } finally {
            sent.cancel(true);
        }
    }

    private static long index(HttpResponse<?> response) {
        try {
            return Long.parseLong(
                    response.headers().firstValue("X-Consul-Index").orElse("-1"));
        } catch (NumberFormatException noIndex) {
            return -1;
        }
    }

    /** Certificates that were renewed in their files are taken for the next request. */
    private synchronized HttpClient client() throws IOException {
        FileDigests now = FileDigests.read(settings.tls().files().toList());
        if (client == null || !now.equals(certificates)) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(settings.timeout());
            if (base.startsWith("https:")) {
                builder.sslContext(settings.tls().newJdkSslContext());
            }
            client = builder.build();
            certificates = now;
        }
        return client;
    }

    /** The innermost words; the client wraps them and sometimes has none. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && cause.getCause() != cause
                && !(cause instanceof HttpConnectTimeoutException)) {
            cause = cause.getCause();
        }
        if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
            return "unknown host";
        }
        if (cause instanceof ConnectException || cause instanceof ClosedChannelException) {
            return "connection refused";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
