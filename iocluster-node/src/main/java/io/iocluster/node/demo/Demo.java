package io.iocluster.node.demo;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/**
 * Sends calls through a node on a stage and says how that went. Owns the node; the stage belongs to the caller. Confined to
 * one thread, but for {@link #close}.
 */
public final class Demo implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final Terminal terminal;
    private final DemoEnvironment stage;
    private final BrokerAccess broker;
    private final NodeSettings settings;
    private final AtomicReference<CallLatencyRecorder> latencies = new AtomicReference<>();
    private final Node node;

    /**
     * Starts the node, with its admin server on a free port.
     *
     * @throws IOException if it cannot start
     */
    public Demo(Terminal terminal, DemoEnvironment stage, BrokerAccess broker) throws IOException {
        this.terminal = terminal;
        this.stage = stage;
        this.broker = broker;
        LoadedSettings<NodeSettings> loaded = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load("node: {id: demo-1}\nadmin: {port: 0}\n" + stage.nodeConfiguration(), Path.of("."));
        this.settings = loaded.settings();
        this.node = Node.start(loaded, (ready, events, tracing) -> {
            latencies.set(new CallLatencyRecorder(events));
            return broker.createPipeline(ready, latencies.get(), tracing);
        });
    }

    /** The node's own web address. */
    public String adminUrl() {
        return "http://127.0.0.1:" + node.adminAddress().getPort();
    }

    /**
     * Sends the calls and reads their answers.
     *
     * @param patience the longest time without one more answer
     * @return whether every call was answered
     * @throws IOException if the broker cannot be reached
     */
    public boolean send(int requests, Duration patience) throws IOException, InterruptedException {
        try (AnswerConsumer answers = broker.openAnswerConsumer(settings);
                RequestPublisher queue = broker.openRequestPublisher(settings)) {
            long start = System.nanoTime();
            Thread sender = new Thread(() -> enqueue(queue, requests), "iocluster-demo-sender");
            sender.setDaemon(true);
            sender.start();
            DemoResults tally = follow(answers, requests, patience);
            sender.interrupt();
            sender.join();
            summarize(tally, requests, System.nanoTime() - start);
            return tally.answered() == requests;
        }
    }

    private void enqueue(RequestPublisher queue, int requests) {
        for (int number = 0; number < requests && !Thread.currentThread().isInterrupted(); number++) {
            queue.publish(OutgoingRequest.of(DemoResults.envelope(number, stage.targetUrl())));
        }
    }

    private DemoResults follow(AnswerConsumer answers, int requests, Duration patience) throws IOException {
        DemoResults tally = new DemoResults(requests);
        DemoProgress progress = new DemoProgress(terminal.err(), terminal.interactive());
        AtomicLong lastAnswer = new AtomicLong(System.nanoTime());
        while (!tally.isComplete() && System.nanoTime() - lastAnswer.get() < patience.toNanos()) {
            answers.poll(POLL, answer -> {
                tally.count(answer);
                lastAnswer.set(System.nanoTime());
                return true;
            });
            progress.show(tally, requests, node.status());
        }
        progress.end();
        return tally;
    }

    private void summarize(DemoResults tally, int requests, long nanos) {
        Histogram calls = latencies.get().intervalHistogram();
        int unanswered = requests - tally.answered() - tally.failed();
        terminal.out().printf(Locale.ROOT, "answered   %,d%n", tally.answered());
        terminal.out().printf(Locale.ROOT, "failed     %,d%n", tally.failed());
        if (unanswered > 0) {
            terminal.out().printf(Locale.ROOT, "no answer  %,d%n", unanswered);
        }
        terminal.out()
                .printf(
                        Locale.ROOT,
                        "calls/s    %,d%n",
                        tally.answered() * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos));
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
