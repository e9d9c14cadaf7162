package io.iocluster.node.tracing;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.trace.AttemptTrace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Set;

/**
 * The client span of one attempt, according to OpenTelemetry's semantic conventions for HTTP. Records no headers, no
 * body and no user info of the URL; its query only if enabled. Confined to one event loop.
 */
final class AttemptSpan implements AttemptTrace {

    private static final AttributeKey<String> METHOD = stringKey("http.request.method");
    private static final AttributeKey<String> METHOD_ORIGINAL = stringKey("http.request.method_original");
    private static final AttributeKey<Long> RESEND_COUNT = longKey("http.request.resend_count");
    private static final AttributeKey<Long> STATUS = longKey("http.response.status_code");
    private static final AttributeKey<String> SERVER = stringKey("server.address");
    private static final AttributeKey<Long> PORT = longKey("server.port");
    private static final AttributeKey<String> URL = stringKey("url.full");

    /**
     * Other methods are recorded as {@code _OTHER}, because free-form span names could exhaust a collector's memory.
     */
    private static final Set<String> KNOWN_METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");

    private final Span span;
    private final Context context;

    private AttemptSpan(Span span, Context parent) {
        this.span = span;
        this.context = parent.with(span);
    }

    static AttemptSpan start(Tracer tracer, Context parent, HttpRequest request, int number, boolean withQuery) {
        boolean known = KNOWN_METHODS.contains(request.method());
        Span span = tracer.spanBuilder(known ? request.method() : "HTTP")
                .setParent(parent)
                .setSpanKind(SpanKind.CLIENT)
                .startSpan();
        if (span.isRecording()) {
            TargetUrl url = request.url();
            span.setAttribute(METHOD, known ? request.method() : "_OTHER");
            span.setAttribute(METHOD_ORIGINAL, known ? null : request.method());
            span.setAttribute(SERVER, url.host());
            span.setAttribute(PORT, url.port());
            span.setAttribute(URL, full(url, withQuery));
            if (number > 1) {
                span.setAttribute(RESEND_COUNT, number - 1);
            }
        }
        return new AttemptSpan(span, parent);
    }

    private static String full(TargetUrl url, boolean withQuery) {
        String path = url.pathAndQuery();
        int query = path.indexOf('?');
        return url.scheme() + "://" + url.origin().authority()
                + (query < 0 || withQuery ? path : path.substring(0, query));
    }

    @Override
    public HttpRequest injectContext(HttpRequest request) {
        return TraceHeaders.withTraceContext(request, TraceHeaders.inject(context));
    }

    @Override
    public void ended(HttpResult result) {
        if (result instanceof HttpResult.Response response) {
            span.setAttribute(STATUS, response.status());
            if (response.status() >= 400) {
                fail(Integer.toString(response.status()));
            }
        } else if (result instanceof HttpResult.Failure failure) {
            fail(failure.code().wireName());
        } else {
            fail("cancelled");
        }
        span.end();
    }

    private void fail(String error) {
        span.setAttribute(MessageSpan.ERROR_TYPE, error);
        span.setStatus(StatusCode.ERROR);
    }
}
