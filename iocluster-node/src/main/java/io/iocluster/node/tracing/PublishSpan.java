package io.iocluster.node.tracing;

import io.iocluster.trace.PublishTrace;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;

/** The producer span of one answer or dead letter, which ends when the broker confirms it. Thread-safe. */
final class PublishSpan implements PublishTrace {

    private final Span span;
    private final Context context;

    PublishSpan(Span span, Context parent) {
        this.span = span;
        this.context = parent.with(span);
    }

    @Override
    public TraceContext context() {
        return TraceHeaders.inject(context);
    }

    @Override
    public void ended(PublishResult result) {
        if (result instanceof PublishResult.Failed failed) {
            fail("not-confirmed", failed.problem());
        } else if (result instanceof PublishResult.TooLarge tooLarge) {
            fail("too-large", tooLarge.problem());
        } else if (result instanceof PublishResult.UnknownTopicOrQueue unknown) {
            fail("unknown-topic-or-queue", unknown.problem());
        } else if (result == null) {
            fail("internal", "");
        }
        span.end();
    }

    private void fail(String error, String problem) {
        span.setAttribute(MessageSpan.ERROR_TYPE, error);
        span.setStatus(StatusCode.ERROR, problem);
    }
}
