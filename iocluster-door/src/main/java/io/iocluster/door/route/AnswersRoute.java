package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.iocluster.door.access.OpenCalls;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.http.UnreadResponse;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code GET /v1/answers}: sends the answers to the app's asynchronous calls as server-sent events. {@code Last-Event-ID} continues an
 * earlier stream.
 */
public final class AnswersRoute implements DoorRoute, AutoCloseable {

    private final KeptAnswers kept;
    private final OpenCalls open;
    private final Set<AnswerStream> streams = ConcurrentHashMap.newKeySet();

    public AnswersRoute(KeptAnswers kept, OpenCalls open) {
        this.kept = kept;
        this.open = open;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.http().abort();
        if (open.isDraining()) {
            throw new ProblemException(Problem.retryable(503, "draining", "the door stops"));
        }
        long after = lastEventId(request);
        HttpResponseWriter writer = HttpResponse.streaming();
        Unread unread = UnreadResponse.start(request);
        AnswerStream stream = new AnswerStream(request, kept, writer, unread, after);
        if (!stream.listen()) {
            throw new ProblemException(
                    Problem.retryable(
                            429,
                            "too-many-streams",
                            "too many streams are open, or the app has half of them; close one or raise door.answers.max-streams"));
        }
        streams.add(stream);
        writer.whenComplete().handle((done, failure) -> {
            stream.unlisten();
            return streams.remove(stream);
        });
        writer.write(ResponseHeaders.builder(200)
                .add(HttpHeaderNames.CONTENT_TYPE, "text/event-stream")
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
        stream.start();
        return CompletableFuture.completedFuture(UnreadResponse.observed(request.context(), writer, unread));
    }

    private long lastEventId(DoorRequest request) {
        String last = request.headers().get("last-event-id");
        if (last == null) {
            return kept.lastNumber();
        }
        if (!last.matches("\\d{1,18}")) {
            throw new ProblemException(
                    Problem.of(400, "invalid-request", "Last-Event-ID must be the id of an event of this stream"));
        }
        long number = Long.parseLong(last);
        // A larger number is that of an earlier process whose clock was ahead. Its answers are lost, and those of this
        // process are new.
        return number > kept.lastNumber() ? 0 : number;
    }

    /** Ends all streams. */
    @Override
    public void close() {
        streams.forEach(AnswerStream::close);
    }
}
