package io.iocluster.node.warmup;

import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.ProducerSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Describes the synthetic calls and the pipeline that makes them. The pipeline has default settings and not those of the node, so that
 * the operator's limits, proxies and breakers neither affect the warm-up nor count its calls.
 */
final class WarmUpCalls {

    private static final int POST_BODY_CHARS = 200;

    private WarmUpCalls() {}

    static PipelineSettings settings(WarmUpTarget target, int workers) {
        return new PipelineSettings(
                WarmUpQueue.NAME,
                WorkerSettings.DEFAULTS.withSize(workers, WorkerSettings.DEFAULTS.maxInFlight()),
                AnswerSettings.DEFAULTS,
                HttpSettings.DEFAULTS,
                egress(target),
                Map.of(),
                // Without a breaker, whose changes appear in the node's log.
                DestinationPolicy.DEFAULTS.forIndependentHosts(),
                List.of(),
                ProducerSettings.DEFAULTS,
                List.of(),
                SharedCacheSettings.DEFAULTS);
    }

    /** Returns a policy that allows the target and nothing else. */
    private static EgressSettings egress(WarmUpTarget target) {
        return new EgressSettings(
                EgressMode.ENFORCE,
                List.of("http"),
                List.of(target.port()),
                List.of(target.host()),
                List.of(),
                List.of(),
                List.of(target.host()),
                EgressSettings.DEFAULTS.maxUrl(),
                EgressSettings.DEFAULTS.maxHeaders(),
                EgressSettings.DEFAULTS.maxHeaderBytes());
    }

    /** Returns envelopes that together use most fields, because each field has its own code in the decoder. */
    static List<byte[]> envelopes(WarmUpTarget target) {
        String url = target.url();
        String get = """
                {"id": "warm-up-1", "url": "%s/get?page=1", "headers": {"Accept": "application/json", "X-Tag": ["a", "b"]},
                 "timeoutMs": 10000, "context": {"number": 1, "text": "echoed"}}""".formatted(url);
        String post = """
                {"id": "warm-up-2", "method": "POST", "url": "%s/post", "headers": {"Content-Type": "application/json"},
                 "body": "{\\"text\\": \\"%s\\"}", "idempotencyKey": "warm-up", "deadlineMs": 30000,
                 "retry": {"maxAttempts": 2}}""".formatted(url, "x".repeat(POST_BODY_CHARS));
        String plain = "{\"url\": \"" + url + "/plain\"}";
        return List.of(bytes(get), bytes(plain), bytes(post));
    }

    private static byte[] bytes(String envelope) {
        return envelope.getBytes(StandardCharsets.UTF_8);
    }
}
