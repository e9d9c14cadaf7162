package io.iocluster.lab.bench.broker;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.asynchttpclient.AsyncCompletionHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.Response;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The fields of an envelope that a naive loop uses. Has no deadline, retries or URL checks. */
record NaiveCall(String id, String method, String url) {

    private static final JsonFactory JSON = new JsonFactory();

    /** Creates an HTTP client with the node's default limits. */
    static AsyncHttpClient client() {
        return Dsl.asyncHttpClient(Dsl.config()
                .setIoThreadsCount(Runtime.getRuntime().availableProcessors())
                .setFollowRedirect(false)
                .setMaxRequestRetry(0)
                .setCookieStore(null)
                .setAcquireFreeChannelTimeout(0)
                .setConnectTimeout(Duration.ofSeconds(3))
                .setRequestTimeout(Duration.ofSeconds(10))
                .setPooledConnectionIdleTimeout(Duration.ofSeconds(20))
                .setConnectionTtl(Duration.ofMinutes(5))
                .setHashedWheelTickDuration(10)
                .setUseProxySelector(false)
                .setUseProxyProperties(false)
                .build());
    }

    static NaiveCall read(byte[] envelope) {
        String id = null;
        String method = "GET";
        String url = null;
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), envelope)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                json.nextToken();
                switch (name) {
                    case "id" -> id = json.getString();
                    case "method" -> method = json.getString();
                    case "url" -> url = json.getString();
                    default -> json.skipChildren();
                }
            }
        }
        return new NaiveCall(id, method, url);
    }

    /**
     * Makes the call.
     *
     * @param answer receives the answer envelope, on a thread of the HTTP client
     */
    void make(AsyncHttpClient client, Consumer<byte[]> answer) {
        client.prepare(method, url).execute(new AsyncCompletionHandler<Void>() {
            @Override
            public Void onCompleted(Response response) {
                answer.accept(answered(response));
                return null;
            }

            @Override
            public void onThrowable(Throwable problem) {
                answer.accept(failed(problem));
            }
        });
    }

    private byte[] answered(Response response) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("id", id);
            json.writeStringProperty("outcome", "answered");
            json.writeNumberProperty("status", response.getStatusCode());
            json.writeObjectPropertyStart("headers");
            for (Map.Entry<String, String> header : response.getHeaders()) {
                json.writeStringProperty(header.getKey(), header.getValue());
            }
            json.writeEndObject();
            json.writeStringProperty("body", response.getResponseBody(StandardCharsets.UTF_8));
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private byte[] failed(Throwable problem) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("id", id);
            json.writeStringProperty("outcome", "failed");
            json.writeStringProperty("error", problem.toString());
            json.writeEndObject();
        }
        return out.toByteArray();
    }
}
