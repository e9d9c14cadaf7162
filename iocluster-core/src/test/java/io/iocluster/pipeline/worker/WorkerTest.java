package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.FakeExecutors;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallCache;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.CallScheduler;
import io.iocluster.pipeline.call.Hold;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.outbox.AnswerOutbox;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.pipeline.publish.AnswerPublisher;
import io.iocluster.pipeline.publish.DefectBackoff;
import io.iocluster.pipeline.publish.DelayedRetryPublisher;
import io.iocluster.pipeline.publish.EncodingQueue;
import io.iocluster.producer.AppRegistry;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerTest {

    private final EventLoopGroup loop = NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("worker", true));
    private final FakeTransport transport = new FakeTransport();
    private final FakeExecutors http = new FakeExecutors();
    private final InFlightWindow window = new InFlightWindow(10, 10, 10, 1_000, () -> {});
    private final DestinationRegistry<Call> destinations = new DestinationRegistry<>(
            List.of(),
            DestinationPolicy.DEFAULTS,
            10,
            75,
            window,
            call -> {},
            host -> null,
            Platform.system(),
            Platform.system().random());
    private final AnswerPublisher publisher = new AnswerPublisher(
            new EncodingQueue(window, Platform.system()),
            new DefectBackoff(Platform.system()),
            transport,
            new AnswerOutbox(transport, window, PipelineEvents.NONE, Platform.system(), AnswerSettings.DEFAULTS),
            PipelineEvents.NONE,
            Platform.system(),
            "node-1",
            () -> true,
            () -> true);
    private final OpenCalls open = new OpenCalls(Platform.system());
    private final Worker worker = worker(loop);

    @AfterEach
    void end() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void acceptsNoCallAfterItWasEvicted() {
        worker.evict();

        assertThat(worker.submit(call())).isFalse();
        assertThat(worker.inFlight()).isZero();
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void returnsAnUnstartedCallWhenItsLoopIsDead() throws Exception {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        Call call = call();
        assertThat(worker.submit(call)).isTrue();

        List<Call> unstarted = worker.evict();

        assertThat(unstarted).containsExactly(call);
        assertThat(worker.inFlight()).isZero();
    }

    @Test
    void doesNotAttemptACallThatIsEvictedWhileItStarts() throws Exception {
        List<Call> evicted = new CopyOnWriteArrayList<>();
        Call call = call(new FakeDelivery("{}") {
            @Override
            public boolean claim() {
                evicted.addAll(worker.evict());
                return true;
            }
        });

        worker.submit(call);
        worker.whenSubmittedCallsStarted().get(1, TimeUnit.MINUTES);

        assertThat(evicted).containsExactly(call);
        assertThat(http.attempts).isEmpty();
        assertThat(call.progress().attempts()).isZero();
    }

    @Test
    void releasesACallThatIsDispatchedAfterAllOthersWereReleased() {
        CountDownLatch stalled = new CountDownLatch(1);
        loop.next().execute(() -> awaitUninterruptibly(stalled));
        FakeDelivery delivery = new FakeDelivery("{}");
        try (WorkerPool pool =
                new WorkerPool(name -> worker, Duration.ofSeconds(10), PipelineEvents.NONE, Platform.system())) {
            pool.resize(1);
            pool.releaseAll();

            pool.dispatch(call(delivery));

            assertThat(delivery.settled).isCompletedWithValue("released");
            assertThat(worker.inFlight()).isZero();
            assertThat(window.held()).isZero();
        } finally {
            stalled.countDown();
        }
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void waitsForNoCallOfALoopThatEndsMeanwhile() throws Exception {
        EventLoop ending = new DefaultEventLoop() {
            /** Does what netty's loops do if they end after the task was added. */
            @Override
            public void execute(Runnable lost) {}
        };
        ending.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();

        assertThat(worker(ending).whenSubmittedCallsStarted()).isDone();
    }

    @Test
    void doesNotAttemptACancelledCallThatWasQueuedOnAStalledLoop() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        loop.next().execute(() -> awaitUninterruptibly(stalled));
        Call call = call();
        worker.submit(call);

        call.cancel();
        EventLoopGroup secondLoop = NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("second", true));
        Worker second = worker(secondLoop);
        worker.evict().forEach(second::submit);
        second.whenSubmittedCallsStarted().get(1, TimeUnit.MINUTES);
        stalled.countDown();

        assertThat(http.attempts).isEmpty();
        assertThat(call.isEnded()).isTrue();
        assertThat(worker.inFlight()).isZero();
        assertThat(window.held()).isZero();
        secondLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void doesNotRetryACancelledCallWhileItsLastLoopIsStalled() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        Call call = call();
        Hold before = new Hold(worker);
        call.progress().assignTo(before);
        call.progress().change(before, null);
        loop.next().execute(() -> awaitUninterruptibly(stalled));

        call.cancel();
        boolean ended = call.isEnded();
        stalled.countDown();

        assertThat(ended).isTrue();
        assertThat(window.held()).isZero();
    }

    @Test
    void thePoolEvictsARetiredWorkerWithoutItsLock() throws Exception {
        CompletableFuture<Boolean> closedUnderLock = new CompletableFuture<>();
        AtomicReference<WorkerPool> itself = new AtomicReference<>();
        HttpExecutor executor = new ConnectionlessExecutor() {
            @Override
            public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
                throw new AssertionError("no call is made");
            }

            @Override
            public void close() {
                closedUnderLock.complete(Thread.holdsLock(itself.get()));
            }
        };
        try (WorkerPool pool = new WorkerPool(
                name -> worker(loop, executor), Duration.ofSeconds(10), PipelineEvents.NONE, Platform.system())) {
            itself.set(pool);
            pool.start(2);

            pool.resize(1);

            assertThat(closedUnderLock.get(1, TimeUnit.MINUTES)).isFalse();
        }
    }

    @Test
    void theWatchdogExpiresACallPastItsDeadlineBeforeItsFirstAttempt() throws Exception {
        Watchdog watchdog = new Watchdog(open, () -> false, PipelineEvents.NONE, Platform.system());
        call(new FakeDelivery("{}"), Platform.system().nanos() - 1);

        // The watchdog ends a call at the eleventh sweep after its deadline.
        for (int sweep = 0; sweep < 11; sweep++) {
            watchdog.sweep();
        }

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("deadline-exceeded");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Worker worker(EventLoopGroup group) {
        return worker(
                group,
                http.create(
                        group, HttpSettings.DEFAULTS, new DestinationPolicies(List.of(), DestinationPolicy.DEFAULTS)));
    }

    private Worker worker(EventLoopGroup group, HttpExecutor executor) {
        return new Worker(
                "worker",
                group.next(),
                executor,
                new CallScheduler(
                        destinations,
                        new AppRegistry<>(ProducerSettings.DEFAULTS, List.of(), window, call -> {}, System::nanoTime),
                        CallCache.NONE,
                        call -> 0,
                        () -> {}),
                new DelayedRetryPublisher(transport, publisher, Platform.system()),
                PipelineEvents.NONE,
                open,
                Platform.system());
    }

    private Call call() {
        return call(new FakeDelivery("{}"));
    }

    private Call call(FakeDelivery delivery) {
        return call(delivery, Platform.system().nanos() + TimeUnit.MINUTES.toNanos(1));
    }

    private Call call(FakeDelivery delivery, long deadlineNanos) {
        RequestEnvelope envelope = RequestEnvelope.get("i", "http://partner.example/");
        TargetUrl url = new TargetUrl("http", "partner.example", 80, "/");
        long now = Platform.system().nanos();
        return TestCalls.of(
                        delivery,
                        window.tryAcquire(2),
                        new CallDeadline(0, now, deadlineNanos, TimeUnit.MINUTES.toNanos(1)),
                        envelope,
                        new HttpRequest("GET", url, List.of(), null),
                        destinations.destinationFor(url.origin()),
                        publisher,
                        open)
                .register();
    }
}
