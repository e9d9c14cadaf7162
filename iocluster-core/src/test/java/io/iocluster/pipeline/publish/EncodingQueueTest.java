package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.CallListener;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which thread encodes an answer. */
class EncodingQueueTest {

    private static final int LARGE = 2 << 20;
    private static final int SMALL = 1 << 10;

    private final InFlightWindow window = new InFlightWindow(1_000, 1_000, 10, 1L << 40, () -> {});
    private final EncodingQueue queue = new EncodingQueue(window, Platform.system());
    private final CountDownLatch testEnded = new CountDownLatch(1);

    @AfterEach
    void endTest() {
        testEnded.countDown();
        queue.close();
    }

    @Test
    void aLargeAnswerIsNotEncodedOnTheCallersThread() throws Exception {
        assertThat(encodingThread(LARGE)).isNotSameAs(Thread.currentThread());
        assertThat(encodingThread(SMALL)).isSameAs(Thread.currentThread());
    }

    @Test
    void aLargeAnswerThatWaitedForBytesIsNotEncodedOnTheSupervisorsThread() throws Exception {
        window.resize(1_000, 1_000, 10, 1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        // This answer uses all bytes until the broker confirms it, so the next one waits.
        encodingThread(LARGE);
        queue.publish(endedCall(), LARGE, () -> thread.complete(Thread.currentThread()));
        assertThat(thread).isNotDone();
        window.resize(1_000, 1_000, 10, 1L << 40);

        queue.tick();

        assertThat(thread.get(1, TimeUnit.MINUTES)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void aSmallAnswerDoesNotWaitForBytesBehindALargeOne() throws Exception {
        window.resize(1_000, 1_000, 10, LARGE);
        encodingThread(LARGE);
        CompletableFuture<Thread> second = new CompletableFuture<>();
        queue.publish(endedCall(), LARGE, () -> second.complete(Thread.currentThread()));
        // All bytes are used, and many answers wait for the broker.
        assertThat(window.tryReserveBytes(1)).isFalse();

        assertThat(encodingThread(SMALL)).isSameAs(Thread.currentThread());

        assertThat(second).isNotDone();
    }

    @Test
    void returnsTheCallsWhoseEncodingHasNotStarted() {
        List<Call> all = IntStream.rangeClosed(0, Runtime.getRuntime().availableProcessors())
                .mapToObj(i -> endedCall())
                .toList();
        all.forEach(call -> queue.publish(call, LARGE, this::awaitTestEnd));

        assertThat(queue.close()).isNotEmpty().isSubsetOf(all).doesNotContain(all.get(0));
    }

    @Test
    void encodesOnTheCallersThreadAfterItWasClosed() throws Exception {
        queue.close();

        assertThat(encodingThread(LARGE)).isSameAs(Thread.currentThread());
    }

    private Thread encodingThread(int bytes) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        queue.publish(endedCall(), bytes, () -> thread.complete(Thread.currentThread()));
        return thread.get(1, TimeUnit.MINUTES);
    }

    private void awaitTestEnd() {
        try {
            testEnded.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Call endedCall() {
        Call call = TestCalls.of(
                new FakeDelivery("{}", 0, Map.of()),
                window.acquireBranch(),
                new CallDeadline(0, 0, 0, 0),
                new NoListener());
        assertThat(call.tryEnd()).isTrue();
        return call;
    }

    private static final class NoListener implements CallListener {

        @Override
        public void answered(Call call, HttpResult.Response response) {}

        @Override
        public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {}

        @Override
        public void release(Call call) {}

        @Override
        public void releaseLater(Call call) {}
    }
}
