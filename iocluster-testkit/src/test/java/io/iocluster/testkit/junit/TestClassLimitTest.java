package io.iocluster.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.iocluster.testkit.junit.TestClassLimit.SlotLease;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class TestClassLimitTest {

    private static final List<Boolean> HAD_SLOT = new ArrayList<>();
    private static final AtomicLong CLOCK = new AtomicLong();
    private static TestSlots slots;

    @TempDir
    private Path folder;

    @BeforeEach
    void openSlots() throws Exception {
        HAD_SLOT.clear();
        slots = TestSlots.open(Files.write(folder.resolve("slots"), new byte[1]));
    }

    @AfterEach
    void closeSlots() {
        slots.close();
    }

    @Test
    void aClassHasASlotBeforeItsFirstMethodUntilAfterItsLast() {
        run(LongCase.class);

        assertThat(HAD_SLOT).containsExactly(true, true, true);
        assertThat(slots.tryAcquire()).isPresent();
    }

    @Test
    void theJvmKeepsItsSlotForFurtherClassesUntilItsLeaseEnds() {
        SlotLease lease = new SlotLease(slots, CLOCK::get);
        run(lease, ShortCase.class);
        assertThat(slots.tryAcquire()).isEmpty();

        run(lease, LongCase.class);
        assertThat(slots.tryAcquire()).isPresent();
    }

    private static void run(Class<?> testClass) {
        run(new SlotLease(slots, CLOCK::get), testClass);
    }

    private static void run(SlotLease lease, Class<?> testClass) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(testClass))
                .build();
        LauncherFactory.create(LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .enableLauncherSessionListenerAutoRegistration(false)
                        .addTestExecutionListeners(new TestClassLimit(lease))
                        .build())
                .execute(request);
    }

    private static void record() {
        Optional<FileLock> free = slots.tryAcquire();
        HAD_SLOT.add(free.isEmpty());
    }

    /** A class whose nested class lasts for a lease. */
    static class LongCase {

        @BeforeAll
        static void before() {
            TestClassLimitTest.record();
        }

        @Nested
        class Inner {

            @Test
            void lastsForALease() {
                CLOCK.addAndGet(TestClassLimit.LEASE.toNanos());
                TestClassLimitTest.record();
            }
        }

        @AfterAll
        static void after() {
            TestClassLimitTest.record();
        }
    }

    /** A class that lasts for no time. */
    static class ShortCase {

        @Test
        void endsAtOnce() {
            TestClassLimitTest.record();
        }
    }
}
