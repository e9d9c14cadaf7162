package io.iocluster.client;

import static io.iocluster.client.FakeClientTransport.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AnswerSubscriptionTest {

    private final FakeRequestSource source = new FakeRequestSource();
    private final List<String> handed = new ArrayList<>();
    private final Deque<CompletableFuture<Void>> stages = new ArrayDeque<>();

    private AnswerSubscription listen(ListenerConfig config) {
        return AnswerSubscription.start(source, config, this::hand, Runnable::run, ClientEvents.NONE);
    }

    private CompletableFuture<Void> hand(Answer answer) {
        handed.add(answer.id());
        CompletableFuture<Void> stage = new CompletableFuture<>();
        stages.add(stage);
        return stage;
    }

    private void done() {
        stages.remove().complete(null);
    }

    @Test
    void acknowledgesAnAnswerOnlyAfterTheListenersStageHasCompleted() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        assertThat(handed).containsExactly("a");
        assertThat(source.acknowledged).isEmpty();
        done();

        assertThat(source.acknowledged).containsExactly("q/1");
    }

    @Test
    void givesBackWhatTheListenerFailedAndHandsItOverAgain() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        stages.remove().completeExceptionally(new IllegalStateException("no database"));
        assertThat(source.released).containsExactly("q/1");
        source.deliver("q/1", answered("a"));
        done();

        assertThat(handed).containsExactly("a", "a");
        assertThat(source.acknowledged).containsExactly("q/1");
    }

    @Test
    void takesAListenerThatThrowsForOneThatFailed() {
        AnswerSubscription.start(
                source,
                ListenerConfig.DEFAULTS,
                answer -> {
                    throw new IllegalStateException("no database");
                },
                Runnable::run,
                ClientEvents.NONE);

        source.deliver("q/1", answered("a"));

        assertThat(source.released).containsExactly("q/1");
    }

    @Test
    void takesAListenerThatReturnsNoStageForOneThatFailed() {
        AnswerSubscription.start(source, ListenerConfig.DEFAULTS, answer -> null, Runnable::run, ClientEvents.NONE);

        source.deliver("q/1", answered("a"));

        assertThat(source.released).containsExactly("q/1");
    }

    @Test
    void leavesOutARepeatOfWhatWasHandled() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        done();
        source.deliver("q/2", answered("a"));

        assertThat(handed).containsExactly("a");
        assertThat(source.acknowledged).containsExactly("q/1", "q/2");
    }

    @Test
    void aRepeatOfWhatIsInHandIsSettledWithIt() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", answered("a"));
        source.deliver("q/2", answered("a"));
        assertThat(source.acknowledged).isEmpty();
        done();

        assertThat(handed).containsExactly("a");
        assertThat(source.acknowledged).containsExactly("q/1", "q/2");
    }

    @Test
    void remembersNoMoreIdsThanItMay() {
        listen(ListenerConfig.DEFAULTS.rememberedIds(2));

        for (String id : List.of("a", "b", "c", "a", "c")) {
            source.deliver("q/" + id, answered(id));
            if (!stages.isEmpty()) {
                done();
            }
        }

        assertThat(handed).containsExactly("a", "b", "c", "a");
    }

    @Test
    void takesNoMoreThanMayBeInHandAndSaysWhenThereIsRoom() {
        listen(ListenerConfig.DEFAULTS.maxInFlight(1));

        assertThat(source.deliver("q/1", answered("a"))).isTrue();
        assertThat(source.deliver("q/2", answered("b"))).isFalse();
        done();

        assertThat(source.roomFreed).hasValue(1);
        assertThat(source.deliver("q/2", answered("b"))).isTrue();
    }

    @Test
    void passesOverWhatIsNoAnswer() {
        listen(ListenerConfig.DEFAULTS);

        source.deliver("q/1", "nonsense");

        assertThat(handed).isEmpty();
        assertThat(source.acknowledged).containsExactly("q/1");
    }

    @Test
    void waitsWhenItIsClosedForWhatIsInHand() {
        AnswerSubscription subscription = listen(ListenerConfig.DEFAULTS);
        source.deliver("q/1", answered("a"));

        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> subscription.close(Duration.ofSeconds(20)));
        assertThat(source.closed).isFalse();
        done();
        closing.join();

        assertThat(source.acknowledged).containsExactly("q/1");
        assertThat(source.closed).isTrue();
    }
}
