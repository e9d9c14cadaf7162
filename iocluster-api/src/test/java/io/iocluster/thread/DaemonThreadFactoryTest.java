package io.iocluster.thread;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DaemonThreadFactoryTest {

    @Test
    void numbersTheThreadsOfAPool() {
        DaemonThreadFactory threads = new DaemonThreadFactory("pool");

        assertThat(threads.newThread(() -> {}).getName()).isEqualTo("pool-1");
        assertThat(threads.newThread(() -> {}).getName()).isEqualTo("pool-2");
    }

    @Test
    void createsDaemonThreads() throws ExecutionException, InterruptedException {
        ScheduledExecutorService scheduler = DaemonThreadFactory.newScheduler("scheduler");
        try {
            assertThat(scheduler.submit(() -> Thread.currentThread().isDaemon()).get())
                    .isTrue();
            assertThat(scheduler.submit(() -> Thread.currentThread().getName()).get())
                    .isEqualTo("scheduler");
            assertThat(new DaemonThreadFactory("pool").newThread(() -> {}).isDaemon())
                    .isTrue();
        } finally {
            scheduler.shutdown();
        }
    }

    @Test
    void repeatedTasksRunAgainAfterAnError() throws InterruptedException {
        CountDownLatch delayed = new CountDownLatch(3);
        CountDownLatch periodic = new CountDownLatch(3);
        ScheduledExecutorService scheduler = DaemonThreadFactory.newScheduler("scheduler");
        try {
            scheduler.scheduleWithFixedDelay(() -> failAfter(delayed), 0, 1, TimeUnit.MILLISECONDS);
            scheduler.scheduleAtFixedRate(() -> failAfter(periodic), 0, 1, TimeUnit.MILLISECONDS);

            assertThat(delayed.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(periodic.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            scheduler.shutdownNow();
        }
    }

    private static void failAfter(CountDownLatch run) {
        run.countDown();
        throw new NoClassDefFoundError("gone");
    }

    @Test
    void logsAnExceptionThatEndsAThread() throws InterruptedException {
        IllegalStateException defect = new IllegalStateException("defect");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(DaemonThreadFactory.class);
        log.start();
        logger.addAppender(log);
        try {
            Thread thread = DaemonThreadFactory.newThread("reader", () -> {
                throw defect;
            });
            thread.start();
            thread.join();
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).isEqualTo("Thread ended because of a defect thread=reader");
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("defect");
        });
    }
}
