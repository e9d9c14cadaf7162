package io.iocluster.client;

import static io.iocluster.client.FakeClientTransport.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AnswerSubscriptionTest {

    private final FakeRequestSource source = new FakeRequestSource();
    private final List<String> received = new ArrayList<>();
    private final Deque<CompletableFuture<Void>> stages = new ArrayDeque<>();

    private AnswerSubscription listen(ListenerConfig config) {
        return AnswerSubscription.start(
                source, config, this::onAnswer, Runnable::run, ClientEvents.NONE, Platform.system());
    }

    private CompletableFuture<Void> onAnswer(Answer answer) {
        received.add(answer.id());
        CompletableFuture<Void> stage = new CompletableFuture<>();
        stages.add(stage);
        return stage;
    }

    private void completeNext() {
        stages.remove().complete(null);
    }

    @Test
    void acknowledgesAnAnswerOnlyAfterTheListenersStageCompletes() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        assertThat(received).containsExactly("a");
        assertThat(source.acknowledged).isEmpty();
        completeNext();

        assertThat(source.acknowledged).containsExactly("q/1");
    }

    @Test
    void releasesAnAnswerThatTheListenerFailedAndProcessesItsRedelivery() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        stages.remove().completeExceptionally(new IllegalStateException("no database"));
        assertThat(source.released).containsExactly("q/1");
        source.deliver("q/1", answered("a"));
        completeNext();

        assertThat(received).containsExactly("a", "a");
        assertThat(source.acknowledged).containsExactly("q/1");
    }

    static Stream<AnswerListener> defectiveListeners() {
        return Stream.of(
                answer -> {
                    throw new IllegalStateException("no database");
                },
                answer -> null);
    }

    @ParameterizedTest
    @MethodSource("defectiveListeners")
    void releasesAnAnswerIfTheListenerThrowsOrReturnsNull(AnswerListener listener) {
        AnswerSubscription.start(
                source, ListenerConfig.DEFAULTS, listener, Runnable::run, ClientEvents.NONE, Platform.system());

        source.deliver("q/1", answered("a"));

        assertThat(source.released).containsExactly("q/1");
    }

    @Test
    void skipsADuplicateOfAHandledAnswer() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        completeNext();
        source.deliver("q/2", answered("a"));

        assertThat(received).containsExactly("a");
        assertThat(source.acknowledged).containsExactly("q/1", "q/2");
    }

    @Test
    void settlesADuplicateTogetherWithTheAnswerInProgress() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        source.deliver("q/2", answered("a"));
        assertThat(source.acknowledged).isEmpty();
        completeNext();

        assertThat(received).containsExactly("a");
        assertThat(source.acknowledged).containsExactly("q/1", "q/2");
    }

    @Test
    void remembersOnlyTheConfiguredNumberOfIds() {
        listen(ListenerConfig.DEFAULTS.rememberedIds(2));

        for (String id : List.of("a", "b", "c", "a", "c")) {
            source.deliver("q/" + id, answered(id));
            if (!stages.isEmpty()) {
                completeNext();
            }
        }

        assertThat(received).containsExactly("a", "b", "c", "a");
    }

    @Test
    void refusesAnswersAboveTheLimitAndSignalsFreeCapacity() {
        listen(ListenerConfig.DEFAULTS.maxInFlight(1));

        assertThat(source.deliver("q/1", answered("a"))).isTrue();
        assertThat(source.deliver("q/2", answered("b"))).isFalse();
        completeNext();

        assertThat(source.capacitySignals).hasValue(1);
        assertThat(source.deliver("q/2", answered("b"))).isTrue();
    }

    @Test
    void skipsAMessageThatIsNotAnAnswer() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", "nonsense");

        assertThat(received).isEmpty();
        assertThat(source.acknowledged).containsExactly("q/1");
    }

    @Test
    void waitsForAnswersInFlightOnClose() {
        AnswerSubscription subscription = listen(ListenerConfig.DEFAULTS);
        source.deliver("q/1", answered("a"));

        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> subscription.close(Duration.ofSeconds(20)));
        assertThat(source.closed).isFalse();
        completeNext();
        closing.join();

        assertThat(source.acknowledged).containsExactly("q/1");
        assertThat(source.closed).isTrue();
    }
}
