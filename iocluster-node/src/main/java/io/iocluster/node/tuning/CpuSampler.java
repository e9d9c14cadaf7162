package io.iocluster.node.tuning;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/** Measures the CPU use of the machine or container, and of the event loops, between two samples. Confined to the advisor's thread. */
final class CpuSampler {

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final DoubleSupplier load;
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private long lastNanos;
    private long lastProcess = -1;
    private Set<String> workers = Set.of();
    private long[] workerThreads = {};
    private long lastWorkers = -1;

    CpuSampler() {
        this.load = system::getCpuLoad;
    }

    /** @param load returns the load of the machine, or of the container if that has a limit, from 0 to 1; negative if unknown */
    CpuSampler(DoubleSupplier load) {
        this.load = load;
    }

    /**
     * CPU use since the previous sample, from 0 to 1; NaN for the first sample and if the platform does not report it.
     *
     * @param process share of the cores available to the process
     * @param machine used share of the cores, also by other processes of the machine or container
     * @param worker share of one core that an event loop uses, on average
     */
    record CpuUsage(double process, double machine, double worker) {}

    /**
     * Takes a sample.
     *
     * @param names worker names as in the pipeline's status
     * @param now nanoseconds of the monotonic clock
     */
    CpuUsage sample(List<String> names, long now) {
        double span = now - lastNanos;
        long process = system.getProcessCpuTime();
        double share = lastProcess < 0 || process < 0
                ? Double.NaN
                : (process - lastProcess) / span / Runtime.getRuntime().availableProcessors();
        boolean same = find(names);
        long worker = workerTime();
        double each = !same || lastWorkers < 0 || worker < lastWorkers
                ? Double.NaN
                : (worker - lastWorkers) / span / workerThreads.length;
        lastNanos = now;
        lastProcess = process;
        lastWorkers = worker;
        return new CpuUsage(Math.min(1, share), Math.min(1, Math.max(share, load.getAsDouble())), Math.min(1, each));
    }

    /** Finds the threads of the workers. Returns false if they changed since the previous sample. */
    private boolean find(List<String> names) {
        if (workers.equals(Set.copyOf(names)) && workerThreads.length == names.size()) {
            return true;
        }
        workers = Set.copyOf(names);
        Set<String> prefixes =
                names.stream().map(name -> "iocluster-" + name + "-").collect(Collectors.toSet());
        workerThreads = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(each -> each != null && prefixes.stream().anyMatch(each.getThreadName()::startsWith))
                .mapToLong(ThreadInfo::getThreadId)
                .toArray();
        return false;
    }

    /** Returns the CPU time of all event loops in nanoseconds; negative if it is unknown. */
    private long workerTime() {
        if (workerThreads.length == 0 || !threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
            return -1;
        }
        long sum = 0;
        for (long time : threads.getThreadCpuTime(workerThreads)) {
            if (time < 0) {
                return -1;
            }
            sum += time;
        }
        return sum;
    }
}
