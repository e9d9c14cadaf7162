package io.iocluster.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.sink.TopicDescriber.Description;
import io.iocluster.kafka.sink.TopicMetadataCache.TopicCheck;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicMetadataCacheTest {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final FakeBroker broker = new FakeBroker();
    private long now = 1;
    private int described;
    private final TopicMetadataCache cache = new TopicMetadataCache(broker, false, () -> described++, () -> now);

    /** Describes topics when the test says so. */
    private static final class FakeBroker implements TopicDescriber {

        private final Set<String> existing = new HashSet<>(Set.of("good"));
        private final List<Batch> batches = new ArrayList<>();
        private boolean open;
        private long maxBytes = 1_000;

        private record Batch(List<String> topics, CompletableFuture<Map<String, Description>> result) {}

        @Override
        public void open() {
            open = true;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public CompletionStage<Map<String, Description>> describe(Collection<String> topics) {
            Batch batch = new Batch(List.copyOf(topics), new CompletableFuture<>());
            batches.add(batch);
            return batch.result();
        }

        void answer(Batch batch) {
            batches.remove(batch);
            Map<String, Description> found = new HashMap<>();
            batch.topics()
                    .forEach(topic -> found.put(
                            topic,
                            existing.contains(topic)
                                    ? new Description(null, false, maxBytes)
                                    : new Description(topic + " does not exist", true, 0)));
            batch.result().complete(found);
        }

        void answerAll() {
            while (!batches.isEmpty()) {
                answer(batches.get(0));
            }
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void open() {
        cache.open();
        assertThat(check("good")).isEqualTo(TopicCheck.UNKNOWN);
        broker.answerAll();
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
    }

    @Test
    void asksAboutATopicBeforeItsFirstMessage() {
        broker.existing.add("next");
        cache.prefetch("next");
        cache.prefetch("missing");
        assertThat(cache.isUsable("next")).isFalse();

        broker.answerAll();

        assertThat(cache.isUsable("next")).isTrue();
        assertThat(cache.isUsable("missing")).isFalse();

        // It was created meanwhile.
        broker.existing.add("missing");
        assertThat(check("missing")).isEqualTo(TopicCheck.UNKNOWN);
        broker.answerAll();
        assertThat(check("missing")).isEqualTo(TopicCheck.ACCEPTED);
    }

    @Test
    void acceptsMessagesForAKnownTopicWhileItIsDescribedAgain() {
        advance(HALF_A_MINUTE);
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
        assertThat(broker.batches).isEmpty();
        advance(HALF_A_MINUTE);

        assertThat(cache.isKnownToAccept(message("good"), now)).isTrue();
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);

        assertThat(broker.batches).hasSize(1);
        broker.answerAll();
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
        assertThat(broker.batches).isEmpty();
    }

    @Test
    void readsTheLimitAgainBeforeAMessageIsTooLarge() {
        PendingSend large = new PendingSend(new ProducerRecord<>("good", new byte[2_000]), null);
        advance(HALF_A_MINUTE);
        broker.maxBytes = 10_000;

        assertThat(cache.check(large, now)).isEqualTo(TopicCheck.UNKNOWN);
        broker.answerAll();

        assertThat(cache.check(large, now)).isEqualTo(TopicCheck.ACCEPTED);
    }

    @Test
    void saysWhatFitsIfAMessageIsTooLargeByALimitThatWasReadNow() {
        PendingSend large = new PendingSend(new ProducerRecord<>("good", new byte[100], new byte[2_000]), null);

        assertThat(cache.check(large, now)).isEqualTo(TopicCheck.REJECTED);

        assertThat(large)
                .isCompletedWithValueMatching(result -> result instanceof PublishResult.TooLarge tooLarge
                        && tooLarge.maxPayload() < 900
                        && tooLarge.maxPayload() > 700);
        assertThat(broker.batches).isEmpty();
    }

    @Test
    void keepsAMessageThatMayBeTooLargeUntilTheBrokerAnswers() {
        PendingSend large = new PendingSend(new ProducerRecord<>("good", new byte[2_000]), null);
        advance(HALF_A_MINUTE);
        cache.check(large, now);
        FakeBroker.Batch unanswered = broker.batches.remove(0);

        unanswered.result().complete(Map.of());

        assertThat(cache.check(large, now)).isEqualTo(TopicCheck.UNKNOWN);
        assertThat(cache.check(message("good"), now)).isEqualTo(TopicCheck.ACCEPTED);
        assertThat(large).isNotDone();
    }

    @Test
    void describesAKnownTopicAgainAlthoughUnknownNamesWait() {
        for (int i = 0; i < 1_000; i++) {
            check("invented-" + i);
        }
        advance(TopicMetadataCache.REFRESH_AFTER);

        cache.isKnownToAccept(message("good"), now);

        assertThat(broker.batches).extracting(FakeBroker.Batch::topics).contains(List.of("good"));
    }

    @Test
    void describesATopicThatASendFailureMadeUnknownAlthoughUnknownNamesWait() {
        for (int i = 0; i < 1_000; i++) {
            check("invented-" + i);
        }

        cache.forget("good");

        assertThat(check("good")).isEqualTo(TopicCheck.UNKNOWN);
        FakeBroker.Batch refresh = broker.batches.get(broker.batches.size() - 1);
        assertThat(refresh.topics()).containsExactly("good");
        broker.answer(refresh);
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
    }

    @Test
    void describesManyUnknownNamesWithFewRequests() {
        int requests = 0;
        for (int i = 0; i < 1_000; i++) {
            check("invented-" + i);
        }
        while (!broker.batches.isEmpty()) {
            assertThat(broker.batches).hasSize(1);
            assertThat(broker.batches.get(0).topics()).hasSizeLessThanOrEqualTo(TopicLookups.MAX_BATCH);
            broker.answer(broker.batches.get(0));
            requests++;
        }

        assertThat(requests).isLessThanOrEqualTo(6);
        assertThat(described).isEqualTo(requests + 1);
        assertThat(cache.isKnownMissing("invented-999", now)).isTrue();
    }

    @Test
    void rejectsAMessageForAMissingTopicAndAsksAgainAfterTwoSeconds() {
        PendingSend message = message("missing");
        assertThat(cache.check(message, now)).isEqualTo(TopicCheck.UNKNOWN);
        broker.answerAll();

        assertThat(cache.check(message, now)).isEqualTo(TopicCheck.REJECTED);
        assertThat(message.join()).isInstanceOf(PublishResult.UnknownTopicOrQueue.class);

        broker.existing.add("missing");
        advance(TopicMetadataCache.RETRY_AFTER);
        assertThat(cache.isKnownMissing("missing", now)).isTrue();
        broker.answerAll();
        assertThat(cache.isKnownMissing("missing", now)).isFalse();
        assertThat(check("missing")).isEqualTo(TopicCheck.ACCEPTED);
    }

    @Test
    void rejectsMessagesForATopicThatWasDeleted() {
        broker.existing.clear();
        advance(TopicMetadataCache.REFRESH_AFTER);
        cache.isKnownToAccept(message("good"), now);
        broker.answerAll();

        assertThat(cache.isKnownToAccept(message("good"), now)).isFalse();
        assertThat(check("good")).isEqualTo(TopicCheck.REJECTED);
    }

    @Test
    void keepsAKnownTopicIfTheBrokerDoesNotAnswerAndAsksAgainAfterTwoSeconds() {
        advance(TopicMetadataCache.REFRESH_AFTER);
        check("good");
        broker.batches.remove(0).result().complete(Map.of());

        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
        assertThat(broker.batches).isEmpty();
        advance(TopicMetadataCache.RETRY_AFTER);
        assertThat(check("good")).isEqualTo(TopicCheck.ACCEPTED);
        assertThat(broker.batches).hasSize(1);
    }

    @Test
    void inventedNamesReplaceOlderInventedNamesOnly() {
        for (int i = 0; i < TopicMetadataCache.MAX_TOPICS + 10; i++) {
            check("invented-" + i);
            broker.answerAll();
        }

        assertThat(cache.isKnownMissing("invented-0", now)).isFalse();
        assertThat(cache.isKnownMissing("invented-20", now)).isTrue();
        assertThat(cache.isKnownToAccept(message("good"), now)).isTrue();
    }

    @Test
    void rejectsAMessageThatIsTooLargeForItsTopic() {
        PendingSend large = new PendingSend(new ProducerRecord<>("good", new byte[2_000]), null);

        assertThat(cache.isKnownToAccept(large, now)).isFalse();
        assertThat(cache.check(large, now)).isEqualTo(TopicCheck.REJECTED);
        assertThat(large.join()).isInstanceOf(PublishResult.TooLarge.class);
    }

    private TopicCheck check(String topic) {
        return cache.check(message(topic), now);
    }

    private static PendingSend message(String topic) {
        return new PendingSend(new ProducerRecord<>(topic, new byte[10]), null);
    }

    private void advance(Duration by) {
        now += by.toNanos();
    }
}
