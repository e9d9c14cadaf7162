package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponseWriter;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.intake.CallProblems;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/** Sends the answers of one app as fast as its reader takes them. Confined to the event loop of its request, unless it says otherwise. */
final class AnswerStream {

    private static final long KEEP_ALIVE_SECONDS = 15;

    private final DoorRequest request;
    private final KeptAnswers kept;
    private final HttpResponseWriter writer;
    private final Unread unread;
    private final Runnable wake = this::wake;
    private long after;
    private boolean writing;
    private ScheduledFuture<?> keepAlive;

    /**
     * Creates a stream.
     *
     * @param unread counts the bytes that the reader has not read, and disconnects it if it does not read
     * @param after the number of the last answer that the reader has
     */
    AnswerStream(DoorRequest request, KeptAnswers kept, HttpResponseWriter writer, Unread unread, long after) {
        this.request = request;
        this.kept = kept;
        this.writer = writer;
        this.unread = unread;
        this.after = after;
    }

    /** Registers the stream. Returns false if there are too many. */
    boolean listen() {
        return kept.listen(request.app().name(), wake);
    }

    /** Any thread. */
    void unlisten() {
        kept.unlisten(request.app().name(), wake);
        request.context().eventLoop().execute(() -> {
            if (keepAlive != null) {
                keepAlive.cancel(false);
            }
        });
    }

    void start() {
        request.context().clearRequestTimeout();
        keepAlive = request.context()
                .eventLoop()
                .scheduleAtFixedRate(this::writeComment, 0, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        send();
    }

    /** Any thread. */
    private void wake() {
        request.context().eventLoop().execute(this::send);
    }

    private void writeComment() {
        if (!writing) {
            write(": keep-alive\n\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void send() {
        if (writing) {
            return;
        }
        String app = request.app().name();
        Ended next = kept.next(app, after);
        // Read after the next answer, so that no removal before that answer is missed.
        long removedUpTo = kept.removedUpTo(app);
        if (removedUpTo > after) {
            after = removedUpTo;
            write(("id: " + removedUpTo + "\nevent: lost\ndata: {}\n\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        if (next != null) {
            after = next.number();
            write(event(next));
        }
    }

    private void write(byte[] text) {
        unread.add(text.length);
        if (writer.tryWrite(HttpData.wrap(text))) {
            writing = true;
            writer.whenConsumed()
                    .thenRun(() -> request.context().eventLoop().execute(() -> {
                        writing = false;
                        send();
                    }));
        }
    }

    private static byte[] event(Ended ended) {
        String name = ended.result() instanceof Answered ? "answer" : "problem";
        byte[] head = ("id: " + ended.number() + "\nevent: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(head);
        if (ended.result() instanceof Answered answered) {
            // Answers are on one line, because nodes write JSON without line ends.
            text.writeBytes(answered.answer());
            text.write('\n');
        } else {
            Problem problem = CallProblems.of((Failed) ended.result());
            ObjectNode object = problem.json().objectNode().put("id", ended.id());
            object.set("problem", problem.json());
            text.writeBytes(Problem.line(object));
        }
        text.write('\n');
        return text.toByteArray();
    }

    /** Any thread. */
    void close() {
        request.context().eventLoop().execute(writer::close);
    }
}
