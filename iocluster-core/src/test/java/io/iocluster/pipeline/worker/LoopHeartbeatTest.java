package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopHeartbeatTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final LoopHeartbeat heartbeat = new LoopHeartbeat(loop);
    private final CountDownLatch withoutCpu = new CountDownLatch(1);

    @AfterEach
    void end() {
        withoutCpu.countDown();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void aLoopThatAnswersInTimeIsNeitherLateNorDead() throws Exception {
        for (int i = 0; i < 3; i++) {
            heartbeat.beat();
            runQueuedTasks();
        }

        assertThat(heartbeat.isLate()).isFalse();
        assertThat(heartbeat.isDead(0)).isFalse();
    }

    @Test
    void aLoopIsLateUntilItAnswers() throws Exception {
        stall();
        heartbeat.beat();
        assertThat(heartbeat.isLate()).isFalse();
        heartbeat.beat();
        assertThat(heartbeat.isLate()).isTrue();

        withoutCpu.countDown();
        runQueuedTasks();
        heartbeat.beat();

        assertThat(heartbeat.isLate()).isFalse();
    }

    @Test
    void aLoopIsDeadAfterItHasMissedTooManyHeartbeats() {
        stall();
        for (int i = 0; i < 3; i++) {
            heartbeat.beat();
        }
        assertThat(heartbeat.isDead(2)).isFalse();

        heartbeat.beat();

        assertThat(heartbeat.isDead(2)).isTrue();
        assertThat(heartbeat.isLate()).isTrue();
    }

    @Test
    void anAbandonedLoopIsNotLateUntilItAnswersOnce() throws Exception {
        stall();
        heartbeat.beat();
        heartbeat.beat();

        heartbeat.abandon();

        assertThat(heartbeat.isLate()).isFalse();
        withoutCpu.countDown();
        runQueuedTasks();
        CountDownLatch again = new CountDownLatch(1);
        loop.execute(() -> awaitUninterruptibly(again));
        heartbeat.beat();
        heartbeat.beat();
        assertThat(heartbeat.isLate()).isTrue();
        again.countDown();
    }

    @Test
    void aLoopThatHasEndedIsDeadAndNotLate() throws Exception {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        heartbeat.beat();
        heartbeat.beat();

        assertThat(heartbeat.isDead(100)).isTrue();
        assertThat(heartbeat.isLate()).isFalse();
    }

    private void stall() {
        loop.execute(() -> awaitUninterruptibly(withoutCpu));
    }

    private void runQueuedTasks() throws Exception {
        loop.submit(() -> {}).get(1, TimeUnit.MINUTES);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }
}
