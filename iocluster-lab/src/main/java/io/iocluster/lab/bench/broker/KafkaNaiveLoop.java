package io.iocluster.lab.bench.broker;

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
import org.asynchttpclient.AsyncHttpClient;

/**
 * Polls, calls and sends. Uses auto-commit and has no deadlines, retries, URL checks or metrics. Only the calls in
 * flight are bounded, because it would not survive a full queue otherwise. Arguments: bootstrap servers, request
 * topic, group, answer topic, maximum calls in flight, {@code linger.ms}.
 */
public final class KafkaNaiveLoop {

    private final KafkaProducer<byte[], byte[]> producer;
    private final AsyncHttpClient client;
    private final String answers;
    private final Semaphore inFlight;

    private KafkaNaiveLoop(
            KafkaProducer<byte[], byte[]> producer, AsyncHttpClient client, String answers, int inFlight) {
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
                AsyncHttpClient client = NaiveCall.client()) {
            consumer.subscribe(List.of(args[1]));
            new KafkaNaiveLoop(producer, client, args[3], Integer.parseInt(args[4])).run(consumer);
        }
    }

    private void run(KafkaConsumer<byte[], byte[]> consumer) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                inFlight.acquire();
                NaiveCall.read(record.value()).make(client, answer -> answer(record, answer));
            }
        }
    }

    private void answer(ConsumerRecord<byte[], byte[]> record, byte[] answer) {
        inFlight.release();
        producer.send(new ProducerRecord<>(answers, null, null, record.key(), answer, record.headers()));
    }
}
