package io.iocluster.lab.demo;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.pipeline.event.GuardedPipelineEvents;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Sends calls through a node and prints a summary. Owns the node; the caller owns the environment. Confined to one thread,
 * except {@link #close}.
 */
public final class Demo implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final Terminal terminal;
    private final DemoEnvironment environment;
    private final BrokerAccess broker;
    private final NodeSettings settings;
    private final CallLatencyRecorder latencies = new CallLatencyRecorder();
    private final Node node;

    /**
     * Starts the node, with its admin server on a free port.
     *
     * @throws IOException if the node cannot start
     */
    public Demo(Terminal terminal, DemoEnvironment environment, BrokerAccess broker) throws IOException {
        this.terminal = terminal;
        this.environment = environment;
        this.broker = broker;
        LoadedSettings<NodeSettings> loaded = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(
                        "node: {id: demo-1, warm-up: 0s}\nadmin: {port: 0}\n" + environment.nodeConfiguration(),
                        Path.of("."));
        this.settings = loaded.settings();
        this.node = Node.start(
                loaded,
                (ready, events, tracing) -> broker.createPipeline(
                        ready, new GuardedPipelineEvents(Platform.system(), events, latencies), tracing));
    }

    /** Returns the URL of the node's admin server. */
    public String adminUrl() {
        return "http://127.0.0.1:" + node.adminAddress().getPort();
    }

    /**
     * Sends the calls, reads their answers and prints the summary.
     *
     * @param timeout maximum time without a further answer
     * @return whether every call was answered
     * @throws IOException if the broker cannot be reached
     */
    public boolean send(int requests, Duration timeout) throws IOException, InterruptedException {
        try (AnswerConsumer answers = broker.openAnswerConsumer(settings);
                RequestPublisher publisher = broker.openRequestPublisher(settings)) {
            long start = System.nanoTime();
            Thread sender =
                    DaemonThreadFactory.newThread("iocluster-demo-sender", () -> sendRequests(publisher, requests));
            sender.start();
            DemoResults results = readAnswers(answers, requests, timeout);
            sender.interrupt();
            sender.join();
            summarize(results, requests, System.nanoTime() - start);
            return results.answered() == requests;
        }
    }

    private void sendRequests(RequestPublisher publisher, int requests) {
        for (int number = 0; number < requests && !Thread.currentThread().isInterrupted(); number++) {
            publisher.publish(OutgoingRequest.of(DemoResults.envelope(number, environment.targetUrl())));
        }
    }

    private DemoResults readAnswers(AnswerConsumer answers, int requests, Duration timeout) throws IOException {
        DemoResults results = new DemoResults(requests);
        DemoProgress progress = new DemoProgress(terminal.err(), terminal.interactive());
        AtomicLong lastAnswer = new AtomicLong(System.nanoTime());
        while (!results.isComplete() && System.nanoTime() - lastAnswer.get() < timeout.toNanos()) {
            answers.poll(POLL, answer -> {
                results.count(answer);
                lastAnswer.set(System.nanoTime());
                return true;
            });
            progress.show(results, requests, node.status());
        }
        progress.end();
        return results;
    }

    private void summarize(DemoResults results, int requests, long nanos) {
        Histogram calls = latencies.intervalHistogram();
        int unanswered = requests - results.answered() - results.failed();
        terminal.out().printf(Locale.ROOT, "answered   %,d%n", results.answered());
        terminal.out().printf(Locale.ROOT, "failed     %,d%n", results.failed());
        if (unanswered > 0) {
            terminal.out().printf(Locale.ROOT, "no answer  %,d%n", unanswered);
        }
        terminal.out()
                .printf(
                        Locale.ROOT,
                        "calls/s    %,d%n",
                        results.answered() * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos));
        terminal.out().printf(Locale.ROOT, "p50        %.1f ms%n", millis(calls.getValueAtPercentile(50)));
        terminal.out().printf(Locale.ROOT, "p99        %.1f ms%n", millis(calls.getValueAtPercentile(99)));
        terminal.out().flush();
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /** Stops the node at once. */
    @Override
    public void close() {
        node.close();
    }
}
