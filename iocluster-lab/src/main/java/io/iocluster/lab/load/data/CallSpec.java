package io.iocluster.lab.load.data;

import io.iocluster.message.Header;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One call with all its values.
 *
 * @param template index of its template in the phase's results
 * @param body null for none; callers never write to the array
 * @param timeout of one attempt; zero for the node's default
 * @param maxAttempts 0 for the node's default
 * @param idempotencyKey null for none, like {@code auth} and {@code key}
 * @param success statuses of a successful answer
 */
public record CallSpec(
        int template,
        String method,
        String url,
        List<Header> headers,
        byte[] body,
        Duration deadline,
        Duration timeout,
        int maxAttempts,
        String idempotencyKey,
        String auth,
        String key,
        Map<String, String> messageHeaders,
        List<StatusPattern> success) {}
