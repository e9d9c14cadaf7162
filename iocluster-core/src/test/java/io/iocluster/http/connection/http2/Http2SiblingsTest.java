package io.iocluster.http.connection.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.connection.Exchange;
import io.iocluster.http.connection.ExchangeFailure;
import io.iocluster.http.connection.ExchangeListener;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.log.LogThrottle;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

/**
 * Tests in simulated time that slow and cancelled calls on a shared connection delay no other call: each other call is sent and answered in
 * the same millisecond as without them.
 */
class Http2SiblingsTest {

    private static final int MILLIS = 10_000;
    private static final int SIBLINGS_PER_MILLI = 2;
    private static final int ANSWER_MILLIS = 20;
    /** Five disturbing calls a second. */
    private static final int DISTURBANCE_MILLIS = 200;

    private static final int CANCEL_MILLIS = 10;
    private static final int SLOW_MILLIS = 3_000;
    private static final int FRAME_HEAD = 9;
    private static final int PREFACE_BYTES = 24;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int CLOSED = -1;

    /** What a call does to its stream. */
    private enum Kind {
        SIBLING,
        /** The node cancels it before the target answers, as after a timeout. */
        CANCELLED,
        /** The node cancels it during its answer. The rest of the answer arrives after the reset. */
        CANCELLED_IN_ANSWER,
        SLOW
    }

    /** A call, and the milliseconds in which the target received it and the node had its whole answer. */
    private static final class Call implements ExchangeListener {

        private final Simulation simulation;
        private final Kind kind;
        private final int startMillis;
        private long sentMillis = CLOSED;
        private long answeredMillis = CLOSED;
        private int bytes;

        Call(Simulation simulation, Kind kind, int startMillis) {
            this.simulation = simulation;
            this.kind = kind;
            this.startMillis = startMillis;
        }

        @Override
        public boolean onHead(int status, HttpHeaders headers) {
            return true;
        }

        @Override
        public boolean onBody(ByteBuf part) {
            bytes += part.readableBytes();
            return true;
        }

        @Override
        public void onEnd() {
            answeredMillis = simulation.millis;
        }

        @Override
        public void onFailure(ExchangeFailure failure) {
            throw new AssertionError(kind + ": " + failure);
        }
    }

    private static final class Simulation {

        private final boolean disturbed;
        private long millis;
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final Http2Connection connection;
        private final List<Call> calls = new ArrayList<>();
        private final Map<Integer, Call> byStream = new HashMap<>();
        private final Map<Long, List<ByteBuf>> due = new HashMap<>();
        private final Map<Long, Exchange> cancels = new HashMap<>();
        private final ByteBuf received = Unpooled.buffer();
        private boolean prefaceRead;
        private int resets;

        Simulation(boolean disturbed) {
            this.disturbed = disturbed;
            connection = Http2Connection.open(
                    channel,
                    new Http2Limits(8_192, Duration.ofSeconds(10), new LogThrottle(NOPLogger.NOP_LOGGER, () -> 0)),
                    this::nanos);
            connection.setOwner(new HttpConnection.Owner() {
                @Override
                public void onChange() {}

                @Override
                public void onClosed() {
                    throw new AssertionError("closed");
                }
            });
            channel.writeInbound(frame(Http2FrameTypes.SETTINGS, 0, 0, new byte[0]));
        }

        private long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }

        List<Call> run() {
            for (; millis < MILLIS + SLOW_MILLIS; millis++) {
                List<ByteBuf> frames = due.remove(millis);
                if (frames != null) {
                    channel.writeInbound(frames.toArray());
                }
                for (int i = 0; i < SIBLINGS_PER_MILLI && millis < MILLIS; i++) {
                    start(Kind.SIBLING);
                }
                if (disturbed && millis < MILLIS && millis % DISTURBANCE_MILLIS == 0) {
                    Kind[] disturbances = {Kind.CANCELLED, Kind.CANCELLED_IN_ANSWER, Kind.SLOW};
                    start(disturbances[(int) (millis / DISTURBANCE_MILLIS) % disturbances.length]);
                }
                Exchange cancelled = cancels.remove(millis);
                if (cancelled != null) {
                    cancelled.cancel();
                }
                channel.runPendingTasks();
                receive();
            }
            channel.releaseOutbound();
            received.release();
            return calls;
        }

        private void start(Kind kind) {
            Call call = new Call(this, kind, (int) millis);
            calls.add(call);
            WireRequest request = new WireRequest(
                    HttpMethod.GET, "https", "a.example", "/", "/", new CharSequence[] {"host", "a", "x", "y"}, null);
            int stream = 2 * calls.size() + 1;
            byStream.put(stream, call);
            Exchange exchange = connection.start(request, call);
            if (kind == Kind.CANCELLED || kind == Kind.CANCELLED_IN_ANSWER) {
                cancels.put(millis + CANCEL_MILLIS, exchange);
            }
        }

        /** Reads what the node has flushed, as the target. */
        private void receive() {
            for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
                received.writeBytes(sent);
                sent.release();
            }
            if (!prefaceRead) {
                received.skipBytes(PREFACE_BYTES);
                prefaceRead = true;
            }
            while (received.isReadable(FRAME_HEAD)) {
                int length = received.readUnsignedMedium();
                int type = received.readByte();
                received.skipBytes(1);
                int stream = received.readInt();
                received.skipBytes(length);
                if (type == Http2FrameTypes.HEADERS) {
                    Call call = byStream.get(stream);
                    call.sentMillis = millis;
                    answer(call, stream);
                } else if (type == Http2FrameTypes.RST_STREAM) {
                    resets++;
                }
            }
            received.discardReadBytes();
        }

        private void answer(Call call, int stream) {
            switch (call.kind) {
                case SIBLING -> sendAt(millis + ANSWER_MILLIS, stream, 100, true, true);
                case SLOW -> sendAt(millis + SLOW_MILLIS - 1, stream, 100, true, true);
                case CANCELLED_IN_ANSWER -> {
                    sendAt(millis + CANCEL_MILLIS / 2, stream, 16_000, true, false);
                    sendAt(millis + CANCEL_MILLIS + 1, stream, 16_000, false, false);
                    sendAt(millis + CANCEL_MILLIS + 2, stream, 16_000, false, true);
                }
                case CANCELLED -> sendAt(millis + CANCEL_MILLIS + 2, stream, 100, true, true);
            }
        }

        private void sendAt(long atMillis, int stream, int bytes, boolean head, boolean last) {
            List<ByteBuf> frames = due.computeIfAbsent(atMillis, ignored -> new ArrayList<>());
            if (head) {
                frames.add(frame(Http2FrameTypes.HEADERS, END_HEADERS, stream, new byte[] {(byte) 0x88}));
            }
            frames.add(frame(Http2FrameTypes.DATA, last ? END_STREAM : 0, stream, new byte[bytes]));
        }

        private static ByteBuf frame(int type, int flags, int stream, byte[] payload) {
            return Unpooled.buffer(FRAME_HEAD + payload.length)
                    .writeMedium(payload.length)
                    .writeByte(type)
                    .writeByte(flags)
                    .writeInt(stream)
                    .writeBytes(payload);
        }
    }

    @Test
    void slowAndCancelledCallsChangeNoTimeOfAnotherCall() {
        List<Call> alone = new Simulation(false).run();
        Simulation simulation = new Simulation(true);
        List<Call> siblings = simulation.run().stream()
                .filter(call -> call.kind == Kind.SIBLING)
                .toList();

        assertThat(simulation.calls).hasSize(siblings.size() + MILLIS / DISTURBANCE_MILLIS);
        assertThat(simulation.resets)
                .isEqualTo(IntStream.range(0, MILLIS / DISTURBANCE_MILLIS)
                        .filter(number -> number % 3 != 2)
                        .count());
        assertThat(siblings).allMatch(call -> call.bytes == 100);
        assertThat(times(siblings)).isEqualTo(times(alone));
        assertThat(siblings)
                .allMatch(call ->
                        call.sentMillis == call.startMillis && call.answeredMillis == call.startMillis + ANSWER_MILLIS);
    }

    private static List<List<Long>> times(List<Call> calls) {
        return calls.stream()
                .map(call -> List.of((long) call.startMillis, call.sentMillis, call.answeredMillis))
                .toList();
    }
}
