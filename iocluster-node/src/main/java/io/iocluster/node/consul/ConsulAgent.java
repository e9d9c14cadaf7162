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

/** Client of an agent's HTTP API. Thread-safe. Methods block, each for a bounded time. */
final class ConsulAgent {

    private static final long MAX_RESPONSE_BYTES = 1 << 20;

    private final ConsulSettings settings;
    private final Supplier<String> token;
    private final String base;
    private FileDigests certificates;
    private HttpClient client;

    /** @param token supplies the token of each request; empty for none */
    ConsulAgent(ConsulSettings settings, Supplier<String> token) {
        this.settings = settings;
        this.token = token;
        this.base = settings.address().replaceFirst("/+$", "");
    }

    /** Encodes a path; slashes stay. */
    static String encode(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /**
     * Sends a GET, which may be a blocking query.
     *
     * @param path encoded path with query
     * @param maxBytes maximum size of the body in bytes
     * @param extraTimeout how long the agent may take in addition to the configured timeout
     * @throws AgentResponseException if the status is neither 200 nor 404
     * @throws IOException if there is no answer; the message is for operators
     */
    AgentResponse get(String path, long maxBytes, Duration extraTimeout) throws IOException, InterruptedException {
        return checked(
                send(request(path).GET().build(), maxBytes, settings.timeout().plus(extraTimeout)));
    }

    AgentResponse get(String path) throws IOException, InterruptedException {
        return get(path, MAX_RESPONSE_BYTES, Duration.ZERO);
    }

    /**
     * Sends a PUT.
     *
     * @param body JSON; empty for none
     * @throws AgentResponseException if the status is neither 200 nor 404
     * @throws IOException if there is no answer; the message is for operators
     */
    AgentResponse put(String path, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).PUT(BodyPublishers.ofString(body));
        HttpRequest json = request.header("Content-Type", "application/json").build();
        return checked(send(json, MAX_RESPONSE_BYTES, settings.timeout()));
    }

    private static AgentResponse checked(AgentResponse response) throws AgentResponseException {
        if (response.status() != 200 && response.isFound()) {
            throw new AgentResponseException(response);
        }
        return response;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        String secret = token.get();
        return secret.isEmpty() ? request : request.header("X-Consul-Token", secret);
    }

    private AgentResponse send(HttpRequest request, long maxBytes, Duration timeout)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent =
                client().sendAsync(request, BoundedBodySubscriber.upTo(maxBytes));
        try {
            HttpResponse<byte[]> response = sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return new AgentResponse(response.statusCode(), index(response), response.body());
        } catch (TimeoutException noAnswer) {
            throw new IOException("no answer within " + DurationText.format(timeout), noAnswer);
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

    /** Returns a client with the current certificates; renewed files apply to the next request. */
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

    /** Returns the message of the root cause, because the client wraps it and some have none. */
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
