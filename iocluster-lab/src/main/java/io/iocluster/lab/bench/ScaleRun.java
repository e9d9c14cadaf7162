package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Measures one point: enqueues a backlog, starts the nodes, and measures from the end of the warm-up to the last answer. The CPU times are
 * the sums of all nodes.
 */
record ScaleRun(BenchEnvironment environment, BenchOptions options, ScalePoint point) {

    /** This share of the warm-up calls, or one for each host, is like the measured calls, and opens their connections. */
    private static final double LIKE_THE_MEASURED = 0.05;

    /** No call fails for a full queue, because a backlog for many hosts fills all queues. */
    private static final String PATIENT = "10s";

    Result measure() {
        environment.requireHosts(point.hosts());
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.broker().newQueues(point.partitions())) {
            int quick = options.warmup() * point.nodes();
            int like =
                    Math.min(point.calls(), (int) Math.max(point.hosts() * point.nodes(), quick * LIKE_THE_MEASURED));
            Backlog.enqueue(queues, List.of(environment.target().url("/ok")), quick);
            List<String> urls = IntStream.range(0, point.hosts())
                    .mapToObj(host -> environment.target().url(host, point.path()))
                    .toList();
            Backlog.enqueue(queues, urls, like + point.calls());
            List<RunningSubject> nodes = new ArrayList<>();
            try (AnswerPoller poller = queues.answers()) {
                for (int number = 1; number <= point.nodes(); number++) {
                    nodes.add(start(queues, number));
                }
                return watch(new Backlog(environment, queues, nodes, poller), quick + like);
            } finally {
                nodes.forEach(RunningSubject::close);
            }
        }
    }

    private RunningSubject start(BenchQueues queues, int number) {
        SubjectSetup setup = new SubjectSetup(
                queues,
                point.maxInFlight(),
                LoadPattern.BACKLOG,
                Map.of("node.id", "bench-" + number, "destination-defaults.backpressure-timeout", PATIENT));
        return environment.start(Subject.NODE, setup, options);
    }

    private Result watch(Backlog backlog, int warmUpCalls) {
        long total = (long) warmUpCalls + point.calls();
        WorkDone start = backlog.await(warmUpCalls);
        if (start.calls() >= total) {
            throw backlog.failure("finished during the warm-up; increase the number of measured calls");
        }
        WorkDone work = backlog.await(total).since(start);
        long resident = backlog.running().stream()
                .mapToLong(each -> each.meter().peakResidentBytes())
                .max()
                .orElseThrow();
        backlog.requireSuccess(total);
        return new Result(point, work, resident, environment.peakOpenRequests());
    }

    /**
     * The result of a point.
     *
     * @param work from the end of the warm-up to the last answer
     * @param residentBytes peak of the node that used most
     * @param peakOpen most requests that were open at the target at once
     */
    record Result(ScalePoint point, WorkDone work, long residentBytes, int peakOpen) {}
}
