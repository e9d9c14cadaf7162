package io.iocluster.node.tuning;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Measures what this process takes of its cores, and its event loops of theirs, from one look to the next. Used by one thread. */
final class CpuSampler {

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private long lastNanos;
    private long lastProcess = -1;
    private Set<String> workers = Set.of();
    private long[] workerThreads = {};
    private long lastWorkers = -1;

    /**
     * What was taken since the last look, from 0 to 1; NaN at the first look and where the machine does not say.
     *
     * @param process of the cores that it may use
     * @param worker of a core by each event loop, on average
     */
    record CpuUsage(double process, double worker) {}

    /** @param names the workers', as the pipeline's status gives them */
    CpuUsage sample(List<String> names) {
        long now = System.nanoTime();
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
        return new CpuUsage(Math.min(1, share), Math.min(1, each));
    }

    /** Finds the threads of these workers; whether they are those of the last look. */
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

    /** Of all event loops, in nanoseconds; negative if it is not known. */
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
