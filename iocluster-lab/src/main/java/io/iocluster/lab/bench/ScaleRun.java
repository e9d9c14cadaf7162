package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

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
        try (BenchQueues queues = environment.newQueues(point.partitions())) {
            int quick = options.warmup() * point.nodes();
            int like =
                    Math.min(point.calls(), (int) Math.max(point.hosts() * point.nodes(), quick * LIKE_THE_MEASURED));
            Backlog.enqueue(queues, environment.target().url("/ok"), quick);
            enqueueMeasured(queues, like + point.calls());
            List<RunningSubject> nodes = new ArrayList<>();
            try (AnswerPoller poller = queues.answers()) {
                for (int number = 1; number <= point.nodes(); number++) {
                    nodes.add(start(queues, number));
                }
                return watch(queues, poller, nodes, quick + like);
            } finally {
                nodes.forEach(RunningSubject::close);
            }
        }
    }

    private void enqueueMeasured(BenchQueues queues, int calls) {
        List<String> urls = LongStream.range(0, point.hosts())
                .mapToObj(host -> environment.target().url((int) host, point.path()))
                .toList();
        try (EnvelopeWriter envelopes = queues.envelopes(LoadPattern.BACKLOG)) {
            for (int call = 0; call < calls; call++) {
                envelopes.send(urls.get(call % urls.size()), System.nanoTime());
            }
            envelopes.flush();
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

    private Result watch(BenchQueues queues, AnswerPoller poller, List<RunningSubject> nodes, int warmUpCalls) {
        long total = (long) warmUpCalls + point.calls();
        AnswerCounter answers = new AnswerCounter(nodes.get(0), poller);
        Moment start = Moment.await(warmUpCalls, environment, nodes, answers);
        if (start.answers() >= total) {
            throw nodes.get(0).failure("finished during the warm-up; increase the number of measured calls");
        }
        Moment.Span span = Moment.await(total, environment, nodes, answers).since(start);
        long resident = nodes.stream()
                .mapToLong(each -> each.meter().peakResidentBytes())
                .max()
                .orElseThrow();
        Backlog.requireSuccess(nodes.get(0), queues, poller, total);
        return new Result(point, span, resident, environment.peakOpenRequests());
    }

    /**
     * The result of a point.
     *
     * @param span from the end of the warm-up to the last answer
     * @param residentBytes peak of the node that used most
     * @param peakOpen most requests that were open at the target at once
     */
    record Result(ScalePoint point, Moment.Span span, long residentBytes, int peakOpen) {}
}
