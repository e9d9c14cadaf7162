package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.route.LineBuffer.LineTooLongException;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.TraceContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One batch in progress. It reads no further lines while its limit of open calls is reached, and a call is open until its caller has
 * read the answer. While another limit forbids the next call, it waits. Confined to the event loop of its request.
 */
final class Batch implements Subscriber<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    /** Time until the batch tries again what a limit forbids. */
    private static final long RETRY_MILLIS = 50;

    private final DoorRequest request;
    private final NodeClock clock;
    private final CallStarter starter;
    private final DoorLimits limits;
    private final DoorTraffic traffic;
    private final HttpResponseWriter writer;
    private final Unread unread;
    private final TraceContext trace;
    private final LineBuffer buffer;
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    /** A part for which the door has no memory yet. */
    private byte[] deferredPart;
    /** Bytes of {@link #buffer} and {@link #waiting}, which are reserved. */
    private long reserved;

    private Subscription input;
    private ScheduledFuture<?> lineTimeout;
    private ScheduledFuture<?> retry;
    private boolean requested;
    private boolean inputEnded;
    private boolean inputComplete;
    /** When a limit first forbade the call of the first line; 0 if none did. */
    private long refusedNanos;

    private int open;
    private long lines;

    /**
     * Creates a batch.
     *
     * @param traffic counts the lines that are refused
     * @param unread counts the bytes that the caller has not read, and disconnects it if it does not read
     */
    Batch(
            DoorRequest request,
            CallStarter starter,
            DoorLimits limits,
            DoorTraffic traffic,
            HttpResponseWriter writer,
            Unread unread,
            NodeClock clock) {
        this.request = request;
        this.clock = clock;
        this.starter = starter;
        this.limits = limits;
        this.traffic = traffic;
        this.writer = writer;
        this.unread = unread;
        this.trace = starter.readTrace(request.headers()::get);
        this.buffer = new LineBuffer(limits.maxBody().bytes());
    }

    void start() {
        request.context()
                .log()
                .whenComplete()
                .thenRunAsync(this::release, request.context().eventLoop());
        request.http().subscribe(this, request.context().eventLoop());
    }

    /** Releases what is not in a call, because the response has ended. */
    private void release() {
        endInput();
        deferredPart = null;
        waiting.clear();
        request.bodies().release(request.appName(), reserved);
        reserved = 0;
        if (retry != null) {
            retry.cancel(false);
        }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        input = subscription;
        requestPart();
    }

    @Override
    public void onNext(HttpObject part) {
        requested = false;
        if (!(part instanceof HttpData data)) {
            requestPart();
            return;
        }
        deferredPart = data.array();
        proceed();
    }

    /** Reads a part into lines. Returns false if the door has no memory for it now. */
    private boolean read(byte[] part) {
        if (!request.bodies().tryReserve(request.appName(), part.length)) {
            return false;
        }
        try {
            buffer.add(part, waiting);
        } catch (LineTooLongException tooLong) {
            endWith(
                    lines + waiting.size() + 1,
                    DoorRequest.tooLarge(limits.maxBody().bytes()));
        }
        // Without line ends and empty lines.
        long held = buffer.partialBytes()
                + waiting.stream().mapToLong(line -> line.length).sum();
        request.bodies().release(request.appName(), reserved + part.length - held);
        reserved = held;
        if (!waiting.isEmpty()) {
            cancelLineTimeout();
        }
        return true;
    }

    /** Ends the input with a problem of the line that is being read. */
    private void endWith(long line, Problem problem) {
        open++;
        refuse(line, null, problem);
        input.cancel();
        endInput();
    }

    private void endInput() {
        inputEnded = true;
        cancelLineTimeout();
    }

    private void cancelLineTimeout() {
        if (lineTimeout != null) {
            lineTimeout.cancel(false);
            lineTimeout = null;
        }
    }

    private void lineTimedOut() {
        lineTimeout = null;
        if (!inputEnded && waiting.isEmpty()) {
            Problem problem = deferredPart == null ? DoorRequest.timeout() : DoorRequest.bodiesFull(request.appName());
            deferredPart = null;
            endWith(lines + 1, problem);
        }
    }

    @Override
    public void onComplete() {
        inputComplete = true;
        endInput();
        proceed();
    }

    /** Starts no further calls, because the caller has disconnected or its request is not valid. */
    @Override
    public void onError(Throwable failure) {
        release();
        proceed();
    }

    private void proceed() {
        if (deferredPart != null && waiting.isEmpty()) {
            if (!read(deferredPart)) {
                expectLine();
                proceedLater();
                return;
            }
            deferredPart = null;
        }
        if (inputComplete && deferredPart == null) {
            buffer.end(waiting);
        }
        while (open < limits.batchInFlight() && !waiting.isEmpty()) {
            if (!writer.isOpen()) {
                input.cancel();
                release();
                return;
            }
            if (!start(waiting.element())) {
                proceedLater();
                return;
            }
        }
        if (!waiting.isEmpty() || deferredPart != null) {
            return;
        }
        if (inputEnded && open == 0) {
            writer.close();
        } else if (!inputEnded && !requested) {
            requestPart();
        }
    }

    private void proceedLater() {
        if (retry == null) {
            retry = request.context().eventLoop().schedule(this::retry, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void retry() {
        retry = null;
        proceed();
    }

    private void requestPart() {
        requested = true;
        if (buffer.partialBytes() > 0) {
            expectLine();
        }
        input.request(1);
    }

    /** Ends the input unless the rest of the line arrives in time, because the part of it occupies memory. */
    private void expectLine() {
        if (lineTimeout == null && !inputEnded) {
            lineTimeout = request.context()
                    .eventLoop()
                    .schedule(this::lineTimedOut, limits.bodyTimeout().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Starts the call of the first line. Returns false if a limit forbids it now. */
    private boolean start(byte[] envelope) {
        long line = lines + 1;
        Duration deadline = Duration.ZERO;
        try {
            DoorCall call = starter.read(envelope, request.app(), trace);
            deadline = call.deadline();
            starter.start(request.app(), call).whenComplete((result, bug) -> {
                request.bodies().release(request.appName(), envelope.length);
                request.context().eventLoop().execute(() -> ended(line, call.id(), result, bug));
            });
            take();
        } catch (ProblemException refused) {
            if (mayWait(refused.problem(), deadline)) {
                return false;
            }
            end(envelope, refused.problem());
        } catch (RuntimeException | Error bug) {
            LOG.error("Call of a batch failed line={}", line, bug);
            end(envelope, Problem.of(500, "internal", "a defect in the door; its log has the details"));
        }
        return true;
    }

    /** Returns whether the first line may wait for a limit. It does so until its deadline. */
    private boolean mayWait(Problem refusal, Duration deadline) {
        if (refusal.status() != HttpStatus.TOO_MANY_REQUESTS.code()) {
            return false;
        }
        long now = clock.nanos();
        if (refusedNanos == 0) {
            refusedNanos = now;
        }
        return now - refusedNanos < deadline.toNanos();
    }

    private void end(byte[] envelope, Problem problem) {
        take();
        request.bodies().release(request.appName(), envelope.length);
        refuse(lines, null, problem);
    }

    /** Removes the first line, whose bytes then belong to its call. */
    private void take() {
        reserved -= waiting.remove().length;
        refusedNanos = 0;
        lines++;
        open++;
    }

    private void ended(long line, String id, CallResult result, Throwable bug) {
        if (bug != null) {
            LOG.error("Call of a batch failed line={}", line, bug);
            refuse(line, id, Problem.of(500, "internal", "a defect in the door; its log has the details"));
        } else if (result instanceof Answered answered) {
            writeAndEnd(answerLine(line, answered.answer()));
        } else {
            writeAndEnd(problemLine(line, id, CallProblems.of((Failed) result)));
        }
    }

    /** Writes and counts a problem, except that of a call that ended without an answer, which the starter counts. */
    private void refuse(long line, String id, Problem problem) {
        traffic.problem(request.app().name(), problem.code());
        writeAndEnd(problemLine(line, id, problem));
    }

    /** Writes a line, and ends its call when the caller has read it. */
    private void writeAndEnd(byte[] text) {
        unread.add(text.length);
        if (writer.tryWrite(HttpData.wrap(text))) {
            writer.whenConsumed().handle((read, failure) -> {
                request.context().eventLoop().execute(this::endOne);
                return null;
            });
        } else {
            // Later, because it would call this method again.
            request.context().eventLoop().execute(this::endOne);
        }
    }

    private void endOne() {
        open--;
        proceed();
    }

    /** Returns an answer as a line that starts with the number of its envelope. The answer is a JSON object with at least one field. */
    private static byte[] answerLine(long line, byte[] answer) {
        byte[] start = ("{\"line\":" + line + ",").getBytes(StandardCharsets.UTF_8);
        byte[] text = Arrays.copyOf(start, start.length + answer.length);
        System.arraycopy(answer, 1, text, start.length, answer.length - 1);
        text[text.length - 1] = '\n';
        return text;
    }

    /** Returns a line {@code {"line": 3, "id": "…", "problem": {…}}} for a call without an answer. */
    private static byte[] problemLine(long line, String id, Problem problem) {
        ObjectNode object = problem.json().objectNode().put("line", line);
        if (id != null) {
            object.put("id", id);
        }
        object.set("problem", problem.json());
        return Problem.line(object);
    }
}
