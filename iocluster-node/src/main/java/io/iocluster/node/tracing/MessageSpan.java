package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.trace.AttemptTrace;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.PublishTrace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.Locale;

/** The consumer span of one message, the parent of the spans of its attempts and its answer. Thread-safe. */
final class MessageSpan implements MessageTrace {

    static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
    private static final AttributeKey<String> OUTCOME = stringKey("iocluster.outcome");
    private static final AttributeKey<String> SETTLEMENT = stringKey("iocluster.settlement");

    private final OpenTelemetryTracing tracing;
    private final Span span;
    private final Context context;

    MessageSpan(OpenTelemetryTracing tracing, Span span, Context parent) {
        this.tracing = tracing;
        this.span = span;
        this.context = parent.with(span);
    }

    @Override
    public String traceparent() {
        SpanContext own = span.getSpanContext();
        return "00-" + own.getTraceId() + "-" + own.getSpanId() + "-"
                + own.getTraceFlags().asHex();
    }

    @Override
    public AttemptTrace startAttempt(HttpRequest request, int number) {
        return tracing.startAttempt(context, request, number);
    }

    @Override
    public void callEnded(Outcome outcome, ErrorCode failure) {
        span.setAttribute(OUTCOME, outcome.wireName());
        if (failure != null) {
            span.setAttribute(ERROR_TYPE, failure.wireName());
            span.setStatus(StatusCode.ERROR);
        }
    }

    @Override
    public PublishTrace startPublish(PublishType what, String replyTo) {
        return tracing.startPublish(context, what, replyTo);
    }

    @Override
    public void settled(SettlementType how) {
        span.setAttribute(SETTLEMENT, how.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        span.end();
    }
}
