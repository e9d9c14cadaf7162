package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.status.DoorStatus;
import io.iocluster.status.json.StatusMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /v1/status}: returns what the door does now, for operators. */
public final class StatusRoute implements DoorRoute {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Supplier<DoorStatus> status;

    public StatusRoute(Supplier<DoorStatus> status) {
        this.status = status;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.http().abort();
        byte[] body = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(StatusMapper.object(status.get()));
        request.respond(body.length);
        ResponseHeaders headers = ResponseHeaders.builder(200)
                .contentType(MediaType.JSON)
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .contentLength(body.length)
                .build();
        return CompletableFuture.completedFuture(HttpResponse.of(headers, HttpData.wrap(body)));
    }
}
