package io.iocluster.transport.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LifecycleSourceTest {

    private static final Intake INTAKE = delivery -> true;

    private final List<String> calls = new ArrayList<>();
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private final LifecycleSource<RecordingSource> source = new LifecycleSource<>() {
        @Override
        protected RecordingSource create(Intake intake) {
            calls.add("create");
            return new RecordingSource();
        }
    };

    /** Records the calls. */
    private final class RecordingSource implements RunningSource {

        @Override
        public void start() {
            calls.add("start");
        }

        @Override
        public void pause(boolean pause) {
            calls.add("pause " + pause);
        }

        @Override
        public void capacityAvailable() {
            calls.add("capacity");
        }

        @Override
        public CompletionStage<Void> stopIntake() {
            calls.add("stop intake");
            return intakeStopped;
        }

        @Override
        public SourceStatus status(Set<PauseReason> reasons) {
            return new SourceStatus(true, null, reasons, 0, List.of(), 0, 0);
        }

        @Override
        public void close(Duration timeout) {
            calls.add("close " + timeout.toMillis());
        }
    }

    @Test
    void passesWhatWasRequestedBeforeTheStart() {
        source.pause();
        source.capacityAvailable();
        assertThat(source.stopIntake()).isCompleted();
        assertThat(source.status().connected()).isFalse();
        assertThat(source.status().problem()).isEqualTo("not started");
        assertThat(source.status().pauseReasons()).containsExactly(PauseReason.OPERATOR);

        source.start(INTAKE);

        assertThat(calls).containsExactly("create", "pause true", "stop intake", "start");
        assertThat(source.status().pauseReasons()).containsExactlyInAnyOrder(PauseReason.OPERATOR, PauseReason.DRAIN);
    }

    @Test
    void passesRequestsWhileItRuns() {
        source.start(INTAKE);
        source.pause();
        source.resume();
        source.capacityAvailable();

        assertThat(source.stopIntake()).isNotCompleted();

        assertThat(calls)
                .containsExactly(
                        "create", "pause false", "start", "pause true", "pause false", "capacity", "stop intake");
        assertThat(source.status().pauseReasons()).containsExactly(PauseReason.DRAIN);
    }

    @Test
    void startsOnce() {
        source.start(INTAKE);

        assertThatThrownBy(() -> source.start(INTAKE)).isInstanceOf(IllegalStateException.class);

        assertThat(calls).containsOnlyOnce("start");
    }

    @Test
    void closesOnceAndPassesNothingAfterThat() {
        source.start(INTAKE);
        calls.clear();

        source.close(Duration.ofMillis(7));
        source.close(Duration.ofMillis(7));
        source.pause();
        source.capacityAvailable();
        source.stopIntake();

        assertThat(calls).containsExactly("close 7");
        assertThat(source.status().connected()).isTrue();
        assertThat(source.status().pauseReasons()).contains(PauseReason.DRAIN);
    }

    @Test
    void doesNotStartAfterItWasClosed() {
        source.close(Duration.ofMillis(7));

        assertThatThrownBy(() -> source.start(INTAKE)).isInstanceOf(IllegalStateException.class);

        assertThat(calls).isEmpty();
        assertThat(source.status().problem()).isEqualTo("not started");
    }
}
