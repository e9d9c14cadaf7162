package io.iocluster.bench;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.asynchttpclient.AsyncCompletionHandler;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.DefaultAsyncHttpClientConfig;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.Response;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What one would write in an afternoon, and what the node is measured against: poll, call, send. It takes its offsets on
 * trust (auto-commit), keeps no deadline, retries nothing, checks no URL and counts nothing; only the calls in flight are
 * bounded, for without that it does not survive a full queue. Arguments: bootstrap servers, request topic, group, answer
 * topic, calls in flight, linger.
 */
public final class NaiveLoop {

    private static final JsonFactory JSON = new JsonFactory();

    private final KafkaProducer<byte[], byte[]> producer;
    private final AsyncHttpClient client;
    private final String answers;
    private final Semaphore inFlight;

    private NaiveLoop(KafkaProducer<byte[], byte[]> producer, AsyncHttpClient client, String answers, int inFlight) {
        this.producer = producer;
        this.client = client;
        this.answers = answers;
        this.inFlight = new Semaphore(inFlight);
    }

    public static void main(String[] args) throws Exception {
        Map<String, Object> reading = Map.of(
                "bootstrap.servers", args[0],
                "group.id", args[2],
                "group.protocol", "consumer",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "true");
        Map<String, Object> writing =
                Map.of("bootstrap.servers", args[0], "linger.ms", args[5], "batch.size", 65_536, "acks", "all");
        try (KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(writing, new ByteArraySerializer(), new ByteArraySerializer());
                AsyncHttpClient client = Dsl.asyncHttpClient(clientConfig())) {
            consumer.subscribe(List.of(args[1]));
            new NaiveLoop(producer, client, args[3], Integer.parseInt(args[4])).run(consumer);
        }
    }

    private static DefaultAsyncHttpClientConfig clientConfig() {
        return Dsl.config()
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
                .build();
    }

    private void run(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                inFlight.acquire();
                call(record);
            }
        }
    }

    private void call(ConsumerRecord<byte[], byte[]> record) {
        Call call = Call.read(record.value());
        client.prepare(call.method(), call.url()).execute(new AsyncCompletionHandler<Void>() {
            @Override
            public Void onCompleted(Response response) {
                answer(record, call.answered(response));
                return null;
            }

            @Override
            public void onThrowable(Throwable problem) {
                answer(record, call.failed(problem));
            }
        });
    }

    private void answer(ConsumerRecord<byte[], byte[]> record, byte[] answer) {
        inFlight.release();
        producer.send(new ProducerRecord<>(answers, null, null, record.key(), answer, record.headers()));
    }

    /** The few fields of an envelope that the loop cares for. */
    private record Call(String id, String method, String url) {

        static Call read(byte[] envelope) {
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
            return new Call(id, method, url);
        }

        byte[] answered(Response response) {
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

        byte[] failed(Throwable problem) {
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
}
