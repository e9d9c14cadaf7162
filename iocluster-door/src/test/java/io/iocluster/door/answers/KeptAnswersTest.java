package io.iocluster.door.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.config.KeptAnswerSettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KeptAnswersTest {

    private final AtomicLong clock = new AtomicLong();
    private final KeptAnswers kept = kept(3, new DataSize(10_000));

    @Test
    void anAnswerIsKeptUntilItIsTooOld() {
        end("a", 10);
        clock.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(kept.find("app", "a").join().result()).isInstanceOf(Answered.class);

        clock.addAndGet(Duration.ofSeconds(2).toNanos());

        assertThat(kept.find("app", "a")).isNull();
        assertThat(kept.bytes()).isZero();
    }

    @Test
    void anOpenCallIsNeverRemoved() {
        kept.register("app", "open");

        clock.addAndGet(Duration.ofDays(1).toNanos());

        assertThat(kept.find("app", "open")).isNotNull();
    }

    @Test
    void theOldestAnswerIsRemovedBeyondTheNumber() {
        for (int i = 0; i < 4; i++) {
            end("a" + i, 10);
        }

        assertThat(kept.count()).isEqualTo(3);
        assertThat(kept.find("app", "a0")).isNull();
        assertThat(kept.find("app", "a3")).isNotNull();
    }

    @Test
    void theOldestAnswersAreRemovedBeyondTheBytes() {
        end("a", 4_000);
        end("b", 4_000);
        end("c", 4_000);

        assertThat(kept.find("app", "a")).isNull();
        assertThat(kept.count()).isEqualTo(2);
        assertThat(kept.bytes()).isLessThan(10_000);
    }

    @Test
    void aWaitingCallerGetsAnAnswerThatIsTooLargeToKeep() {
        kept.register("app", "large");
        CompletableFuture<Ended> waiting = kept.find("app", "large");

        kept.complete("app", "large", answer(20_000));

        assertThat(waiting.join().id()).isEqualTo("large");
        assertThat(kept.count()).isZero();
    }

    @Test
    void anIdIsInUseWhileItsAnswerIsKept() {
        assertThat(kept.register("app", "a")).isTrue();
        assertThat(kept.register("app", "a")).isFalse();
        assertThat(kept.register("other", "a")).isTrue();

        kept.forget("app", "a");

        assertThat(kept.register("app", "a")).isTrue();
    }

    @Test
    void aTimeoutOfOneWaitingCallerDoesNotEndTheCall() {
        kept.register("app", "a");

        CompletableFuture<Ended> waiting = kept.find("app", "a");
        kept.find("app", "a").complete(null);
        kept.complete("app", "a", answer(1));

        assertThat(waiting.join().id()).isEqualTo("a");
        assertThat(kept.find("app", "a").join().id()).isEqualTo("a");
    }

    @Test
    void aWaitThatHasEndedIsNotHeld() {
        kept.register("app", "a");
        CompletableFuture<Ended> waiting = kept.find("app", "a");
        assertThat(kept.waiting("app", "a")).isEqualTo(1);

        waiting.complete(null);

        assertThat(kept.waiting("app", "a")).isZero();
    }

    @Test
    void aWaitingCallerMayUseTheStore() {
        kept.register("app", "a");
        CompletableFuture<Boolean> locked = kept.find("app", "a").thenApply(end -> Thread.holdsLock(kept));

        kept.complete("app", "a", answer(1));

        assertThat(locked.join()).as("holds the lock of the store").isFalse();
    }

    @Test
    void answersAreReadInTheOrderOfTheirEnds() {
        long start = kept.lastNumber();
        end("a", 1);
        end("b", 1);

        Ended first = kept.next("app", start);
        Ended second = kept.next("app", first.number());

        assertThat(first.id()).isEqualTo("a");
        assertThat(second.id()).isEqualTo("b");
        assertThat(kept.next("app", second.number())).isNull();
        assertThat(kept.next("other", start)).isNull();
    }

    @Test
    void aStreamLearnsThatAnswersWereRemoved() {
        long start = kept.lastNumber();
        for (int i = 0; i < 4; i++) {
            end("a" + i, 1);
        }

        assertThat(kept.removedUpTo("app"))
                .isGreaterThan(start)
                .isLessThan(kept.next("app", start).number());
        assertThat(kept.removedUpTo("other")).isEqualTo(start);
    }

    @Test
    void anAppLearnsThatAllItsAnswersWereRemovedWhileItHadNoStream() {
        long start = kept.lastNumber();
        end("a", 1);
        long removed = kept.lastNumber();

        clock.addAndGet(Duration.ofMinutes(2).toNanos());
        kept.removeExpired();
        kept.listen("app", () -> {});
        end("b", 1);

        assertThat(kept.removedUpTo("app")).isEqualTo(removed).isGreaterThan(start);
        assertThat(kept.next("app", removed).id()).isEqualTo("b");
    }

    @Test
    void theAnswersOfAnEarlierProcessAreRemoved() {
        assertThat(kept.removedUpTo("app")).isEqualTo(kept.lastNumber());
    }

    @Test
    void listenersRunWhenACallOfTheirAppEndsAndAreLimited() {
        AtomicInteger runs = new AtomicInteger();
        Runnable listener = runs::incrementAndGet;
        assertThat(kept.listen("app", listener)).isTrue();
        assertThat(kept.listen("app", () -> {})).isFalse();

        end("a", 1);
        kept.unlisten("app", listener);
        kept.unlisten("app", listener);
        end("b", 1);

        assertThat(runs).hasValue(1);
        assertThat(kept.streams()).isZero();
    }

    @Test
    void anAppRemovesItsOwnAnswersAndNotThoseOfOthers() {
        end("quiet", "first", 4_000);
        for (int i = 0; i < 5; i++) {
            end("busy", "a" + i, 4_000);
        }

        assertThat(kept.find("quiet", "first")).isNotNull();
        assertThat(kept.find("busy", "a3")).isNull();
        assertThat(kept.find("busy", "a4")).isNotNull();
        assertThat(kept.next("quiet", 0).id()).isEqualTo("first");
    }

    @Test
    void anAppThatIsAloneMayUseAll() {
        end("quiet", "first", 10);
        clock.addAndGet(Duration.ofMinutes(2).toNanos());
        for (int i = 0; i < 4; i++) {
            end("busy", "a" + i, 10);
        }

        assertThat(kept.count()).isEqualTo(3);
        assertThat(kept.removedUpTo("busy")).isGreaterThan(0);
    }

    @Test
    void smallerLimitsRemoveTheOldestAnswers() {
        end("a", 10);
        end("b", 10);

        kept.update(settings(1, new DataSize(10_000)));

        assertThat(kept.find("app", "a")).isNull();
        assertThat(kept.find("app", "b")).isNotNull();
    }

    private void end(String id, int bytes) {
        end("app", id, bytes);
    }

    private void end(String app, String id, int bytes) {
        kept.register(app, id);
        kept.complete(app, id, answer(bytes));
    }

    private static CallResult answer(int bytes) {
        return new Answered(new byte[bytes], null);
    }

    private KeptAnswers kept(int maxCount, DataSize maxBytes) {
        return new KeptAnswers(settings(maxCount, maxBytes), new FakeClock(clock::get));
    }

    private static KeptAnswerSettings settings(int maxCount, DataSize maxBytes) {
        return new KeptAnswerSettings(Duration.ofMinutes(1), maxCount, maxBytes, Duration.ofSeconds(1), 10, 1);
    }
}
