package io.iocluster.node.tap;

import io.iocluster.message.Answer.Timing;
import io.iocluster.node.admin.AdminStream;
import io.iocluster.node.tap.Tap.TapCounts;
import io.iocluster.thread.NodeClock;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The calls of one tap as lines of JSON, and each second a line with its counts. */
final class TapStream implements AdminStream {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long COUNTS_NANOS = Duration.ofSeconds(1).toNanos();

    private final CallTaps taps;
    private final Tap tap;
    private final Duration duration;
    private final long endNanos;
    private final NodeClock clock;
    private long countsNanos;

    TapStream(CallTaps taps, Tap tap, Duration duration, NodeClock clock) {
        this.clock = clock;
        this.countsNanos = clock.nanos();
        this.taps = taps;
        this.tap = tap;
        this.duration = duration;
        this.endNanos = clock.nanos() + duration.toNanos();
    }

    @Override
    public Duration maxDuration() {
        return duration;
    }

    @Override
    public byte[] poll() {
        taps.refreshSecrets();
        long now = clock.nanos();
        if (now - endNanos >= 0) {
            return null;
        }
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        tap.poll().forEach(call -> add(json(call), lines));
        if (now - countsNanos >= 0) {
            countsNanos = now + COUNTS_NANOS;
            add(json(tap.counts()), lines);
        }
        return lines.toByteArray();
    }

    private static void add(ObjectNode line, ByteArrayOutputStream lines) {
        lines.writeBytes(JSON.writeValueAsBytes(line));
        lines.write('\n');
    }

    private static ObjectNode json(TappedCall call) {
        ObjectNode line = JSON.createObjectNode();
        line.put("at", call.at().toString());
        line.put("id", call.id());
        line.put("position", call.position());
        line.put("destination", call.destination());
        line.put("method", call.method());
        line.put("url", call.url());
        line.put("outcome", call.outcome().wireName());
        line.put("status", call.status());
        line.put("code", call.code());
        line.put("message", call.message());
        line.put("attempts", call.attempts());
        Timing timing = call.timing();
        line.putObject("timing").put("queuedMs", timing.queuedMs()).put("totalMs", timing.totalMs());
        return line;
    }

    private static ObjectNode json(TapCounts counts) {
        ObjectNode line = JSON.createObjectNode();
        line.putObject("counts")
                .put("matched", counts.matched())
                .put("skipped", counts.skipped())
                .put("dropped", counts.dropped());
        return line;
    }

    @Override
    public void close() {
        taps.close(tap);
    }
}
