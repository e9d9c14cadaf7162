package io.iocluster.node.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.tuning.CpuSampler.CpuUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CpuSamplerTest {

    private final CpuSampler sampler = new CpuSampler();

    @Test
    void reportsNothingForTheFirstSample() {
        CpuUsage first = sampler.sample(List.of("worker-1"), System.nanoTime());

        assertThat(first.machine()).isNaN();
        assertThat(first.worker()).isNaN();
    }

    @Test
    void measuresTheProcessAndABusyEventLoop() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread loop = new Thread(
                () -> {
                    started.countDown();
                    burn(Duration.ofSeconds(20));
                },
                "iocluster-worker-7-1-1");
        loop.start();
        started.await();
        sampler.sample(List.of("worker-7"), System.nanoTime());

        burn(Duration.ofMillis(100));
        CpuUsage busy = sampler.sample(List.of("worker-7"), System.nanoTime());
        loop.interrupt();
        loop.join();

        assertThat(busy.process()).isBetween(0.001, 1.0);
        assertThat(busy.worker()).isBetween(0.001, 1.0);
    }

    @Test
    void countsWhatOtherProcessesOfTheMachineUse() {
        CpuSampler shared = new CpuSampler(() -> 0.97);
        shared.sample(List.of("worker-1"), System.nanoTime());

        assertThat(shared.sample(List.of("worker-1"), System.nanoTime()).machine())
                .isGreaterThanOrEqualTo(0.97);
    }

    @Test
    void reportsNothingWhenAnEventLoopIsNew() {
        sampler.sample(List.of("worker-8"), System.nanoTime());

        assertThat(sampler.sample(List.of("worker-8", "worker-9"), System.nanoTime())
                        .worker())
                .isNaN();
    }

    /** Uses this much CPU time, for which a busy machine needs longer. */
    private static void burn(Duration cpuTime) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + cpuTime.toNanos();
        while (threads.getCurrentThreadCpuTime() < end
                && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }
}
