package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponseWriter;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.http.TraceHeaders;
import io.iocluster.door.route.LineBuffer.LineTooLongException;
import io.iocluster.transport.TraceContext;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One batch in progress. It reads no further lines while its limit of open calls is reached, and a call is open until its caller has
 * read the answer. Confined to the event loop of its request.
 */
final class Batch implements Subscriber<HttpObject> {

    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final DoorRequest request;
    private final CallStarter starter;
    private final DoorLimits limits;
    private final HttpResponseWriter writer;
    private final TraceContext trace;
    private final LineBuffer buffer;
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private Subscription input;
    private boolean requested;
    private boolean inputEnded;
    private int open;
    private long lines;

    Batch(DoorRequest request, CallStarter starter, DoorLimits limits, HttpResponseWriter writer) {
        this.request = request;
        this.starter = starter;
        this.limits = limits;
        this.writer = writer;
        this.trace = TraceHeaders.read(request.headers());
        this.buffer = new LineBuffer(limits.maxBody().bytes());
    }

    void start() {
        request.http().subscribe(this, request.context().eventLoop());
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
        try {
            buffer.add(data.array(), waiting);
        } catch (LineTooLongException tooLong) {
            long line = lines + waiting.size() + 1;
            open++;
            writeAndEnd(problemLine(
                    line, null, DoorRequest.tooLarge(limits.maxBody().bytes())));
            input.cancel();
            inputEnded = true;
        }
        proceed();
    }

    @Override
    public void onComplete() {
        inputEnded = true;
        buffer.end(waiting);
        proceed();
    }

    /** Starts no further calls, because the caller has disconnected or its request is not valid. */
    @Override
    public void onError(Throwable failure) {
        inputEnded = true;
        waiting.clear();
        proceed();
    }

    private void proceed() {
        while (open < limits.batchInFlight() && !waiting.isEmpty()) {
            if (!writer.isOpen()) {
                waiting.clear();
                input.cancel();
                return;
            }
            start(waiting.remove());
        }
        if (inputEnded && waiting.isEmpty() && open == 0) {
            writer.close();
        } else if (!inputEnded && waiting.isEmpty() && !requested) {
            requestPart();
        }
    }

    private void requestPart() {
        requested = true;
        input.request(1);
    }

    private void start(byte[] envelope) {
        long line = ++lines;
        open++;
        if (!request.bodies().tryReserve(envelope.length)) {
            writeAndEnd(problemLine(line, null, DoorRequest.bodiesFull()));
            return;
        }
        try {
            DoorCall call = starter.read(envelope, request.app(), trace);
            starter.start(request.app(), call).whenComplete((result, bug) -> {
                request.bodies().release(envelope.length);
                request.context().eventLoop().execute(() -> ended(line, call.id(), result, bug));
            });
        } catch (ProblemException refused) {
            request.bodies().release(envelope.length);
            writeAndEnd(problemLine(line, null, refused.problem()));
        } catch (RuntimeException | Error bug) {
            request.bodies().release(envelope.length);
            LOG.error("Call of a batch failed line={}", line, bug);
            writeAndEnd(problemLine(line, null, Problem.of(500, "internal", "a defect in the door")));
        }
    }

    private void ended(long line, String id, CallResult result, Throwable bug) {
        if (bug != null) {
            LOG.error("Call of a batch failed line={}", line, bug);
            writeAndEnd(problemLine(line, id, Problem.of(500, "internal", "a defect in the door")));
        } else if (result instanceof Answered answered) {
            byte[] text = Arrays.copyOf(answered.answer(), answered.answer().length + 1);
            text[text.length - 1] = '\n';
            writeAndEnd(text);
        } else {
            writeAndEnd(problemLine(line, id, CallResponses.problem((Failed) result)));
        }
    }

    /** Writes a line, and ends its call when the caller has read it. */
    private void writeAndEnd(byte[] text) {
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
