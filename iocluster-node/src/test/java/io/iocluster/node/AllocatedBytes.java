package io.iocluster.node;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures what code costs without a clock. Unlike CPU time, the result does not depend on the machine and what else it runs. */
public final class AllocatedBytes {

    private static final int WARM_UP = 3;

    private AllocatedBytes() {}

    /** Returns how many bytes a run on this thread allocates, after runs that load classes and fill caches. */
    public static long of(Runnable code) {
        for (int i = 0; i < WARM_UP; i++) {
            code.run();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        code.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
