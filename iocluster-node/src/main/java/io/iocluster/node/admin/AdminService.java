package io.iocluster.node.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.listener.HeaderChecks;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.admin.AdminRoute.AuditedAction;
import io.iocluster.node.audit.Actor;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.thread.BoundedExecutor;
import io.iocluster.thread.Platform;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

/**
 * Handles the requests of the admin server. Probes run on the event loop, so that they never wait for another request. All other
 * requests run on {@value #THREADS} threads, and the event loop only sends their results. Thread-safe.
 */
final class AdminService implements HttpService, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminService.class);
    private static final int THREADS = 4;
    private static final byte[] NO_BODY = {};

    /** Limits the responses in progress, except those to probes, and so the memory that slow readers use. */
    private static final int MAX_RESPONSES = 64;

    private final AdminApi api;
    private final AccessControl accessControl;
    private final AuditLog audit;
    private final AtomicInteger responses = new AtomicInteger();
    private final BoundedExecutor threads;

    /** The streams whose response has not ended. */
    private final Set<AdminStream> streams = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    AdminService(AdminApi api, AccessControl accessControl, AuditLog audit, Platform platform) {
        this.api = api;
        this.accessControl = accessControl;
        this.audit = audit;
        this.threads = new BoundedExecutor(platform.newThreads("iocluster-admin"), THREADS);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        if (HeaderChecks.namesTwoHosts(request.headers())) {
            request.abort();
            return response(
                    request.method(), AdminResponse.error(400, "the request must name one host, in one header Host"));
        }
        String path = context.decodedPath();
        AdminRequest head = new AdminRequest(request.method().name(), path, request.headers(), NO_BODY);
        if (api.access(head) == Access.PROBE) {
            request.abort();
            return response(request.method(), answer(head));
        }
        Optional<AdminResponse> refusal = accessControl.reject(head);
        if (refusal.isPresent()) {
            request.abort();
            api.audited(head)
                    .ifPresent(action -> audit.denied(actor(context, head), action.name(), reason(refusal.get())));
            return response(request.method(), refusal.get());
        }
        if (responses.incrementAndGet() > MAX_RESPONSES) {
            responses.decrementAndGet();
            request.abort();
            return response(request.method(), busy());
        }
        context.log().whenComplete().thenRun(responses::decrementAndGet);
        CompletableFuture<HttpResponse> answered = request.aggregate()
                .handle((whole, problem) -> {
                    if (problem == null) {
                        return handleOnThread(context, path, whole);
                    }
                    return CompletableFuture.completedFuture(response(request.method(), unreadable(problem)));
                })
                .thenCompose(response -> response);
        return HttpResponse.of(answered);
    }

    private CompletableFuture<HttpResponse> handleOnThread(
            ServiceRequestContext context, String path, AggregatedHttpRequest whole) {
        AdminRequest request = new AdminRequest(
                whole.method().name(), path, whole.headers(), whole.content().array());
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        AdminResponse answer = answerAndAudit(context, request);
                        return answer.stream() == null ? response(whole.method(), answer) : stream(context, answer);
                    },
                    threads);
        } catch (RejectedExecutionException closing) {
            return CompletableFuture.completedFuture(response(whole.method(), busy()));
        }
    }

    private HttpResponse stream(ServiceRequestContext context, AdminResponse answer) {
        AdminStream stream = answer.stream();
        streams.add(stream);
        context.log().whenComplete().thenRun(() -> streams.remove(stream));
        if (closed) {
            stream.close();
        }
        return StreamedResponse.start(context, headers(answer).build(), stream);
    }

    /** Answers the request. The audit log gets what it changed, or why it was refused. */
    private AdminResponse answerAndAudit(ServiceRequestContext context, AdminRequest request) {
        AuditedAction action = api.audited(request).orElse(null);
        if (action == null) {
            return answer(request);
        }
        Actor actor = actor(context, request);
        JsonNode before = state(action, request);
        AdminResponse response = answer(request);
        if (response.status() < 300) {
            audit.done(actor, action.name(), before, state(action, request));
        } else {
            audit.refused(actor, action.name(), reason(response));
        }
        return response;
    }

    /** Returns what the request may change; null in JSON if the request is invalid. */
    private static JsonNode state(AuditedAction action, AdminRequest request) {
        try {
            return action.state().apply(request);
        } catch (AdminException invalid) {
            return NullNode.getInstance();
        }
    }

    private Actor actor(ServiceRequestContext context, AdminRequest request) {
        String address = context.remoteAddress().getAddress().getHostAddress();
        return new Actor(accessControl.role(request).wireName(), address);
    }

    private static String reason(AdminResponse response) {
        return response.status() + ": "
                + AdminResponse.JSON.readTree(response.body()).path("error").asString("");
    }

    private AdminResponse answer(AdminRequest request) {
        try {
            return api.handle(request);
        } catch (AdminException refusal) {
            return refusal.response();
        } catch (InvalidSettingsException invalid) {
            return AdminResponse.error(400, invalid.getMessage());
        } catch (RuntimeException | StackOverflowError bug) {
            LOG.error("Admin request failed method={} path={}", request.method(), request.path(), bug);
            return AdminResponse.error(500, "a defect in the node; its log has the details");
        }
    }

    private static AdminResponse busy() {
        return AdminResponse.error(503, "the admin server is busy; try again").withHeader("Retry-After", "1");
    }

    private static AdminResponse unreadable(Throwable problem) {
        return Exceptions.peel(problem) instanceof ContentTooLargeException
                ? AdminResponse.error(413, "the body is larger than " + AdminServer.MAX_BODY_BYTES + " bytes")
                : AdminResponse.error(400, "the body cannot be read");
    }

    private static HttpResponse response(HttpMethod method, AdminResponse reply) {
        ResponseHeadersBuilder headers = headers(reply);
        if (method == HttpMethod.HEAD || reply.status() == 304) {
            return HttpResponse.of(headers.build());
        }
        headers.contentLength(reply.body().length);
        return HttpResponse.of(headers.build(), HttpData.wrap(reply.body()));
    }

    private static ResponseHeadersBuilder headers(AdminResponse reply) {
        ResponseHeadersBuilder headers = ResponseHeaders.builder(reply.status())
                .add(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .add(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
        reply.headers().forEach(headers::set);
        return headers;
    }

    @Override
    public void close() {
        closed = true;
        threads.close();
        // The event loop may end before it notices that the connections of the streams are closed.
        streams.forEach(AdminStream::close);
    }
}
