package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.thread.ReadTimeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the admin API of one node. Every failure is an {@link IOException} whose message is for the user. Thread-safe. */
public final class AdminClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final byte[] EMPTY = {};
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Far above every response of a node; another server may send anything. */
    private static final int MAX_RESPONSE_BYTES = 32 << 20;

    private final URI base;
    private final String token;
    private final HttpClient http;
    private final Duration timeout;
    private final boolean fromOptions;

    private AdminClient(URI base, String token, HttpClient http, Duration timeout, boolean fromOptions) {
        this.base = base;
        this.token = token;
        this.http = http;
        this.timeout = timeout;
        this.fromOptions = fromOptions;
    }

    /**
     * Creates a client of a command with the option {@code --admin}.
     *
     * @param base the URL of the admin server, without a path
     * @param token {@code admin.token} of the node; empty for none
     * @param http from {@link #http}
     */
    AdminClient(URI base, String token, HttpClient http) {
        this(base, token, http, TIMEOUT, true);
    }

    /**
     * Returns a client that trusts the JVM's authorities.
     *
     * @param base the URL of the admin server, without a path
     * @param token {@code admin.token} of the node; empty for none
     */
    public static AdminClient of(URI base, String token) {
        return of(base, token, TIMEOUT);
    }

    /**
     * Returns a client that trusts the JVM's authorities.
     *
     * @param base the URL of the admin server, without a path
     * @param token {@code admin.token} of the node; empty for none
     * @param timeout longest time until a response begins, and until it has ended after that
     */
    public static AdminClient of(URI base, String token, Duration timeout) {
        return new AdminClient(base, token, http(null), timeout, false);
    }

    /**
     * Returns an HTTP client. It follows no redirect and uses no proxy, because either would receive the token.
     *
     * @param tls null for the JVM's trusted authorities
     */
    static HttpClient http(SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(CONNECT_TIMEOUT);
        if (tls != null) {
            builder.sslContext(tls);
        }
        return builder.build();
    }

    /** Returns the host and port of the node's admin server. */
    public String address() {
        return base.getRawAuthority();
    }

    /** Returns the response to {@code GET}. */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return send("GET", path, null);
    }

    /** Returns the response to {@code POST} without a body. */
    public JsonNode post(String path) throws IOException, InterruptedException {
        return send("POST", path, null);
    }

    /** Returns the response to {@code POST}. */
    public JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    /** Returns the response to {@code PATCH}. */
    public JsonNode patch(String path, JsonNode body) throws IOException, InterruptedException {
        return send("PATCH", path, body);
    }

    /**
     * Opens a response that continues until one side ends it. Only its beginning has a timeout.
     *
     * @return the body; closing it ends the response
     */
    public InputStream open(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = exchange("GET", path, null);
        if (response.statusCode() == 200) {
            return response.body();
        }
        readAll(response);
        throw new IOException(base + " answers " + response.statusCode());
    }

    private JsonNode send(String method, String path, JsonNode body) throws IOException, InterruptedException {
        return readAll(exchange(method, path, body));
    }

    private JsonNode readAll(HttpResponse<InputStream> response) throws IOException {
        byte[] body;
        try (InputStream in = response.body();
                ReadTimeout limit = new ReadTimeout(in, timeout)) {
            try {
                body = in.readNBytes(MAX_RESPONSE_BYTES + 1);
            } catch (IOException broken) {
                throw limit.isExpired() ? noAnswer() : problem(broken);
            }
        }
        return read(response.statusCode(), body);
    }

    private HttpResponse<InputStream> exchange(String method, String path, JsonNode body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(timeout)
                .method(method, BodyPublishers.ofByteArray(body == null ? EMPTY : JSON.writeValueAsBytes(body)));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (HttpTimeoutException late) {
            throw noAnswer();
        } catch (ConnectException unreachable) {
            throw new IOException(base + " cannot be reached (" + reason(unreachable) + "); "
                    + (fromOptions
                            ? "start a node with `iocluster run`, or name the address of its admin server with --admin URL"
                            : "check the URL, and whether the node runs"));
        } catch (SSLException untrusted) {
            throw new IOException(
                    base + " cannot be verified (" + untrusted.getMessage()
                            + "); name the authority of its certificate with --ca FILE, and a host name that the"
                            + " certificate has in --admin",
                    untrusted);
        } catch (IOException broken) {
            throw problem(broken);
        }
    }

    private IOException noAnswer() {
        return new IOException(base + " does not answer; check the " + (fromOptions ? "address of --admin" : "URL")
                + ", and whether the node is overloaded");
    }

    private IOException problem(IOException broken) {
        return broken.getMessage() != null && broken.getMessage().startsWith(base.toString())
                ? broken
                : new IOException(base + " ended the connection: " + broken.getMessage(), broken);
    }

    private static String reason(ConnectException unreachable) {
        if (unreachable.getMessage() != null) {
            return unreachable.getMessage();
        }
        boolean unknown = unreachable.getCause() instanceof java.nio.channels.UnresolvedAddressException;
        return unknown ? "unknown host" : "connection refused";
    }

    private JsonNode read(int status, byte[] body) throws IOException {
        JsonNode json = parse(body);
        if (json == null) {
            throw new IOException(base + " is not the admin server of a node: its response with status " + status
                    + " is not a JSON object");
        }
        if (status == 401) {
            throw new IOException(base
                    + (token.isEmpty()
                            ? " needs admin.token: set IOCLUSTER_ADMIN_TOKEN, or use --token-file FILE or --token"
                            : " refuses the token: compare it with admin.token of the node"));
        }
        if (status >= 300) {
            String message = base + " answers " + status + ": "
                    + PrintableText.escape(json.path("error").asString("no reason given"));
            throw status == 400 ? new RefusedValueException(message) : new IOException(message);
        }
        return json;
    }

    private static JsonNode parse(byte[] body) {
        try {
            JsonNode json = body.length > MAX_RESPONSE_BYTES ? null : JSON.readTree(body);
            return json != null && json.isObject() ? json : null;
        } catch (JacksonException other) {
            return null;
        }
    }
}
